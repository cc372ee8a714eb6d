// Topics as the page calls them: the answers about topics by set and number, their words by several orders, and names that the reader may
// change.  A set has the topics of one chain: all, or with one-vs-rest those of a class.  A topic has a number from 0; topics that count as
// one have that of the first of them, and topics that are left out are in no set.
import { data, type Num } from "./data";
import { clean } from "./dom";
import { rowsOf } from "./tables";

export interface WordRow {
    word: string;
    p: number; // in the topic
    all: number; // of all tokens
    lift: number;
    frex: Num; // place in that order
}

export interface Topic {
    number: number;
    title: string; // "3", "3+7"
    share: Num; // of the tokens; null: not known
    empty: boolean; // it has no or nearly no tokens
    label: string; // words that tell it from all others
    words: WordRow[];
}

interface TopicSet {
    of: string; // a class; "" without topics for each class
    topics: Topic[];
    affinity: number[] | null; // thousandths, by places in `topics`: pairs (1, 0), (2, 0), (2, 1), ...; null: too many topics
}

export const sets: TopicSet[] = [];
const known = new Map<string, Topic>(); // "set/number"
const names = new Map<string, string>();

for (const row of rowsOf("topics")) {
    const of = (row.class ?? "") as string, title = row.topic as string;
    if (sets.length === 0 || sets[sets.length - 1].of !== of) sets.push({ of, topics: [], affinity: data.affinities[sets.length] ?? null });
    const topic = { number: parseInt(title) - 1, title, share: row.share as Num, empty: row.empty === true, label: row.label as string, words: [] };
    sets[sets.length - 1].topics.push(topic);
    const key = `${sets.length - 1}/${topic.number}`;
    known.set(key, topic);
    if (row.name) names.set(key, row.name as string);
}

for (const set of sets) if (set.topics.length < 2) set.affinity = [];

let at = -1; // set of the words at hand
let last: string | null = null;
for (const row of rowsOf("topic-words")) {
    const of = (row.class ?? "") as string;
    if (of !== last) at++;
    last = of;
    known.get(`${at}/${parseInt(row.topic as string) - 1}`)?.words.push({
        word: row.word as string,
        p: row.probability as number,
        all: row.share as number,
        lift: (row.probability as number) / (row.share as number),
        frex: row.frex as Num,
    });
}

/** The topics of a set, by their numbers. */
export function topicsOf(set: number): number[] {
    return sets[set].topics.map((t) => t.number);
}

export function topicOf(set: number, topic: number): Topic {
    return known.get(`${set}/${topic}`)!;
}

/** Its place in the list of the set. */
export function placeOf(set: number, topic: number): number {
    return sets[set].topics.findIndex((t) => t.number === topic);
}

/** Words by relevance: `weight` 1 is by probability, 0 by lift. */
export function byRelevance(set: number, topic: number, weight: number, n: number): WordRow[] {
    const score = (w: WordRow) => Math.log(w.p) - (1 - weight) * Math.log(w.all);
    return topicOf(set, topic)
        .words.filter((w) => w.p > 0 && w.all > 0)
        .sort((a, b) => score(b) - score(a))
        .slice(0, n);
}

export function byFrex(set: number, topic: number, n: number): WordRow[] {
    return topicOf(set, topic)
        .words.filter((w) => w.frex !== null && w.frex <= n)
        .sort((a, b) => a.frex! - b.frex!);
}

// ---- names ----

const listeners: (() => void)[] = [];
const tops = new Map<string, string[]>();

export function topWords(set: number, topic: number, n: number): string[] {
    const key = `${set}/${topic}`;
    if (!tops.has(key)) tops.set(key, byRelevance(set, topic, 0.6, 10).map((r) => r.word));
    return tops.get(key)!.slice(0, n);
}

export function givenName(set: number, topic: number): string {
    return names.get(`${set}/${topic}`) ?? "";
}

/** "game team season", or the name that the reader gave. */
export function topicLabel(topic: number, set = 0, n = 3): string {
    const given = givenName(set, topic);
    return given !== "" ? given : topicOf(set, topic).empty ? "(empty)" : topicOf(set, topic).label.split(" ").slice(0, n).map((w) => clean(w).slice(0, 20)).join(" ");
}

/** The same after its number: "7 game team season", "3+7 sport". */
export function topicName(topic: number, set = 0, n = 3): string {
    return `${topicOf(set, topic).title} ${topicLabel(topic, set, n)}`;
}

export function rename(set: number, topic: number, name: string): void {
    const key = `${set}/${topic}`;
    if (name.trim() === "") names.delete(key);
    else names.set(key, name.trim());
    for (const listener of listeners) listener();
}

export function onRename(listener: () => void): void {
    listeners.push(listener);
}

/** A table that gibbous edit --names reads. */
export function namesAsText(set: number): string {
    const quoted = (text: string) => `"${text.replace(/"/g, '""')}"`;
    const lines = sets[set].topics.map((t) => `${t.title},${quoted(givenName(set, t.number))},${quoted(topWords(set, t.number, 10).join(" "))}\n`);
    return `topic,name,words\n${lines.join("")}`;
}

/** Share of tokens; null where it is not known. */
export function shareOf(set: number, topic: number): Num {
    return topicOf(set, topic).share;
}
