// Topics as the page calls them: their words by several orders, and names that the reader may change.
import { data, type TopicSet } from "./data";
import { clean } from "./dom";

export interface WordRow {
    word: string;
    p: number; // in the topic
    all: number; // of all tokens
    lift: number;
}

/** Words by relevance: `weight` 1 is by probability, 0 by lift. */
export function byRelevance(set: TopicSet, topic: number, weight: number, n: number): WordRow[] {
    const { w, p } = set.topics[topic];
    const score = (i: number) => Math.log(p[i]) - (1 - weight) * Math.log(set.background[w[i]]);
    return w
        .map((_, i) => i)
        .filter((i) => p[i] > 0 && set.background[w[i]] > 0)
        .sort((a, b) => score(b) - score(a))
        .slice(0, n)
        .map((i) => row(set, w[i], p[i]));
}

function row(set: TopicSet, word: number, p: number): WordRow {
    return { word: set.words[word], p, all: set.background[word], lift: p / set.background[word] };
}

export function byFrex(set: TopicSet, topic: number, n: number): WordRow[] {
    const { w, p, frex } = set.topics[topic];
    return frex.slice(0, n).map((word) => row(set, word, p[w.indexOf(word)]));
}

// ---- names ----

const names = new Map<string, string>(
    data.sets.flatMap((set, i) => (set.names ?? []).map((n, k): [string, string] => [`${i}/${k}`, n])).filter(([, n]) => n !== ""),
);
const listeners: (() => void)[] = [];
const tops = new Map<string, string[]>();

export function topWords(set: number, topic: number, n: number): string[] {
    const key = `${set}/${topic}`;
    if (!tops.has(key)) tops.set(key, byRelevance(data.sets[set], topic, 0.6, 10).map((r) => r.word));
    return tops.get(key)!.slice(0, n);
}

export function givenName(set: number, topic: number): string {
    return names.get(`${set}/${topic}`) ?? "";
}

/** "7 game team season", or the name that the reader gave. */
export function topicName(topic: number, set = 0, n = 3): string {
    const given = givenName(set, topic);
    const label = given !== "" ? given : topWords(set, topic, n).map((w) => clean(w).slice(0, 20)).join(" ");
    return `${topic + 1} ${label}`;
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

/** A table that gibbous topics --names reads. */
export function namesAsText(set: number): string {
    const quoted = (text: string) => `"${text.replace(/"/g, '""')}"`;
    const lines = data.sets[set].topics.map((_, k) => `${k + 1},${quoted(givenName(set, k))},${quoted(topWords(set, k, 10).join(" "))}\n`);
    return `topic,name,words\n${lines.join("")}`;
}

/** Share of tokens; null where it is not known. */
export function shareOf(set: number, topic: number): number | null {
    return data.sets[set].share?.[topic] ?? null;
}
