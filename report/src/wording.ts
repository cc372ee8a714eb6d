// Topics that groups of documents word differently, and topics whose words change over the levels of a field.
import * as Plot from "@observablehq/plot";
import { lines, MOST_LINES, type Share } from "./curves";
import { choice, clean, clear, h, isolated, name, number, percent, plural, short, table, type Cell } from "./dom";
import { figure, look } from "./figure";
import { card, remarks, rowsOf, type Row } from "./tables";
import { topicName } from "./topicset";

/** Rows by the number of their topic. */
function byTopic(question: string): Map<number, Row[]> {
    const found = new Map<number, Row[]>();
    for (const row of rowsOf(question)) {
        const topic = parseInt(row.topic as string) - 1;
        found.set(topic, [...(found.get(topic) ?? []), row]);
    }
    return found;
}

const wordings = byTopic("wordings"), differing = byTopic("content"), changing = byTopic("evolution");

function words(topic: number): HTMLElement {
    return table({ columns: [rowsOf("evolution").length > 0 ? "level" : "group", "words"], rows: (wordings.get(topic) ?? []).map((r): Cell[] => [clean(r.group as string), (r.group_words as string[]).map(clean).join(", ")]) }, `Words of ${short(topicName(topic), 50)}`);
}

// ---- groups ----

/** Logarithms of ratios as ratios; those of words that are nowhere else have no end that a drawing has room for. */
const times = (logarithm: number) => Math.exp(Math.min(Math.max(logarithm, -7), 7));

function group(of: string, rows: Row[]): HTMLElement {
    const shown = [...rows].sort((a, b) => (b.median as number) - (a.median as number)), most = shown[0];
    const places = shown.map((_, i) => i);
    return figure({
        finding: `${short(of, 30)}: ${plural(rows.length, "word")} clearly more often than elsewhere, most of all ${short(most.word as string, 30)} (${number(times(most.median as number), 2)} times).`,
        class: "half",
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 21 * shown.length + 58,
                marginBottom: 42,
                marginLeft: Math.min(150, width * 0.34),
                x: { type: "log", label: "times as often as elsewhere", grid: true, ticks: width < 480 ? 3 : 5, tickFormat: (x: number) => String(Number(x.toPrecision(2))) },
                y: { label: null, domain: places, tickFormat: (i: number) => isolated(shown[i].word as string, 20), tickSize: 0 },
                marks: [
                    Plot.ruleX([1], { stroke: "var(--muted)" }),
                    Plot.ruleY(shown, { y: (_: Row, i: number) => i, x1: (r: Row) => times(r.q05 as number), x2: (r: Row) => times(r.q95 as number), stroke: "var(--accent)", strokeWidth: 2 }),
                    Plot.dot(shown, { y: (_: Row, i: number) => i, x: (r: Row) => times(r.median as number), r: 4, fill: "var(--accent)" }),
                ],
            }),
        table: () => ({ columns: ["word", "share", "elsewhere", "log ratio", "5 %", "95 %"], rows: rows.map((r): Cell[] => [clean(r.word as string), r.share as number, r.share_elsewhere as number, r.median as number, r.q05 as number, r.q95 as number]) }),
    });
}

function groups(topic: number): HTMLElement[] {
    const rows = differing.get(topic) ?? [], names = [...new Set(rows.map((r) => r.group as string))];
    if (names.length === 0) return [h("p", { class: "how" }, "No group words this topic clearly differently.")];
    return [
        h("p", { class: "how" }, "Words of the topic that a group uses more often than the others do in the same topic. Lines hold 90 % of the posterior."),
        h("div", { class: "grid" }, names.map((of) => group(of, rows.filter((r) => r.group === of)))),
    ];
}

// ---- levels ----

function change(rows: Row[]): HTMLElement {
    const levels = card.wordings, shown = rows.slice(0, MOST_LINES), most = rows[0], rose = most.change === "rose";
    const shares = shown.flatMap((r) => (r.shares as number[]).map((share, at): Share => ({ line: r.word as string, at, label: levels[at], mean: share, low: share, high: share, isKnown: true })));
    return figure({
        finding: `${rose ? "Rose" : "Fell"} most: ${short(most.word as string, 30)}, from ${percent(most.first as number)} to ${percent(most.last as number)} of the topic's words.`,
        how: `Share of the words of the topic, from ${short(levels[0], 20)} to ${short(levels[levels.length - 1], 20)}; intervals are in the table.`,
        class: "half",
        draw: (width) => lines(shares, { label: null, places: levels }, width),
        table: () => ({ columns: ["word", "first", "last", "log ratio", "5 %", "95 %", ...levels.map((l) => `share ${l}`)], rows: rows.map((r): Cell[] => [clean(r.word as string), r.first as number, r.last as number, r.median as number, r.q05 as number, r.q95 as number, ...(r.shares as number[])]) }),
    });
}

function levels(topic: number): HTMLElement[] {
    const rows = changing.get(topic) ?? [];
    if (rows.length === 0) return [h("p", { class: "how" }, "No word of this topic clearly rose or fell.")];
    return [h("div", { class: "grid" }, ["rose", "fell"].map((how) => rows.filter((r) => r.change === how)).filter((of) => of.length > 0).map(change))];
}

export function wording(): HTMLElement[] {
    const isOrdered = rowsOf("evolution").length > 0, question = isOrdered ? "evolution" : "content", found = isOrdered ? changing : differing;
    // where most differs comes first
    const order = [...wordings.keys()].sort((a, b) => (found.get(b)?.length ?? 0) - (found.get(a)?.length ?? 0));
    const place = h("div", {});
    const draw = (topic: string) => clear(place, h("h3", {}, name(topicName(Number(topic), 0, 5), 80)), isOrdered ? levels(Number(topic)) : groups(Number(topic)), h("details", {}, h("summary", {}, isOrdered ? "The words of each level" : "The words of each group"), words(Number(topic))));
    draw(String(order[0]));
    return [
        h("p", { class: "how" }, isOrdered ? "How the words of a topic change from level to level; the topic stays the same one." : "How groups of documents word the same topic."),
        ...remarks(question),
        h("div", { class: "controls" }, choice("Topic", order.map((k): [string, string] => [String(k), topicName(k, 0, 5)]), String(order[0]), draw)),
        place,
    ];
}
