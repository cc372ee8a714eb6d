// Topic shares of groups of documents.
import * as Plot from "@observablehq/plot";
import { choice, clear, h, isolated, percent, plural, short, signed } from "./dom";
import { figure, look } from "./figure";
import { affinities, affinityOf, places } from "./layout";
import { card, columnOf, rowsOf, type Row } from "./tables";
import { topicName } from "./topicset";

interface Group {
    name: string;
    documents: number;
    share: Map<number, Row>; // by topic, of a union the first; the smallest shares are missing if there is no room for them
}

interface Point {
    group: string;
    at: number;
    mean: number;
    low: number;
    high: number;
    documents: number;
}

function topicOf(row: Row): number {
    return parseInt(row.topic as string) - 1;
}

const groupOf = new Map<string, Group>();

for (const row of rowsOf("groups")) {
    const name = row.group as string;
    if (!groupOf.has(name)) groupOf.set(name, { name, documents: row.n_documents as number, share: new Map() });
    groupOf.get(name)!.share.set(topicOf(row), row);
}

const all = [...groupOf.values()];
/** Groups that any document tells of: only these are compared. */
const withDocuments = all.filter((g) => g.documents > 0);
const topics = [...new Set(all.flatMap((g) => [...g.share.keys()]))];

function points(topic: number): Point[] {
    return all.flatMap(({ name, documents, share }, at) => {
        const row = share.get(topic);
        return row === undefined ? [] : [{ group: name, at, mean: row.mean as number, low: row.q05 as number, high: row.q95 as number, documents }];
    });
}

function isKnown(p: Point): boolean {
    return p.documents > 0;
}

/** By how much a topic changes beyond its intervals, between groups with documents: to put the most telling ones first. */
function movement(topic: number): number {
    const known = points(topic).filter(isKnown);
    return Math.max(...known.map((p) => p.low)) - Math.min(...known.map((p) => p.high));
}

function trend(topic: number): HTMLElement {
    const known = points(topic);
    const compared = known.some(isKnown) ? known.filter(isKnown) : known;
    const top = compared.reduce((a, b) => (b.mean > a.mean ? b : a)), bottom = compared.reduce((a, b) => (b.mean < a.mean ? b : a));
    const clear = top.low > bottom.high;
    const isLine = card.settings.get("graph")?.[0] === "chain" && known.length > 1;
    const every = (width: number) => Math.ceil(all.length / Math.max(2, Math.floor(width / 48)));
    return figure({
        finding: `${short(topicName(topic), 50)}: ${clear ? "clearly more" : "at most a little more"} in ${short(top.group)} (${percent(top.mean)}) than in ${short(bottom.group)} (${percent(bottom.mean)}).`,
        how: `Expected share of the topic in a document of the group; ${isLine ? "the band holds" : "bars hold"} 90 % of the posterior.`,
        class: "half",
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: isLine ? 260 : 20 * all.length + 62,
                marginBottom: 44,
                marginLeft: isLine ? 50 : Math.min(170, width * 0.35),
                ...(isLine
                    ? {
                          x: { type: "point", domain: all.map((_, at) => at), ticks: all.map((_, at) => at).filter((i) => i % every(width) === 0), tickFormat: (i: number) => isolated(all[i].name, 12), label: null },
                          y: { label: "share (%)", percent: true, grid: true, zero: true, ticks: 5 },
                          marks: [
                              Plot.areaY(known, { x: "at", y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.22 }),
                              Plot.line(known, { x: "at", y: "mean", stroke: "var(--accent)", strokeWidth: 2 }),
                              Plot.dot(known.filter(isKnown), { x: "at", y: "mean", r: 2.5, fill: "var(--accent)" }),
                              Plot.ruleY([0], { stroke: "var(--line)" }),
                          ],
                      }
                    : {
                          x: { label: "share (%)", percent: true, grid: true, zero: true, ticks: 5 },
                          y: { label: null, domain: all.map((_, at) => at), tickFormat: (i: number) => isolated(all[i].name, 22), tickSize: 0 },
                          marks: [
                              Plot.ruleY(known, { y: "at", x1: "low", x2: "high", stroke: "var(--accent)", strokeWidth: 2 }),
                              Plot.dot(known, { x: "mean", y: "at", r: 4, stroke: "var(--accent)", fill: (p: Point) => (isKnown(p) ? "var(--accent)" : "var(--surface)") }),
                          ],
                      }),
            }),
        table: () => ({ columns: ["group", "documents", "share", "5 %", "95 %"], rows: known.map((p) => [p.group, p.documents, p.mean, p.low, p.high]) }),
    });
}

// ---- contrasts ----

const MOST_ROWS = 16;

function points100(share: number): string {
    return `${signed(100 * share)} points`;
}

const pairs = new Map<string, Row[]>(); // of two groups, by their names

for (const row of rowsOf("group-contrasts")) {
    const pair = JSON.stringify([row.group, row.minus]);
    pairs.set(pair, [...(pairs.get(pair) ?? []), row]);
}

function contrast(pair: string): HTMLElement {
    const found = pairs.get(pair)!, of = short(found[0].group as string), minus = short(found[0].minus as string);
    const rows = found.map((r) => ({ k: topicOf(r), mean: r.mean as number, low: r.q05 as number, high: r.q95 as number, clear: (r.q05 as number) > 0 || (r.q95 as number) < 0 }));
    const shown = [...rows].sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean)).slice(0, MOST_ROWS).sort((a, b) => b.mean - a.mean);
    const sure = rows.filter((r) => r.clear);
    const most = [...(sure.length > 0 ? sure : rows)].sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean))[0];
    return figure({
        finding: `${of} minus ${minus}: ${sure.length === 0 ? "no topic clearly differs" : `${plural(sure.length, "topic")} of ${rows.length} clearly ${sure.length === 1 ? "differs" : "differ"}, most of all ${short(topicName(most.k), 50)} (${points100(most.mean)})`}.`,
        how: `The share of a topic in ${of} less its share in ${minus}, in points of percent. Lines hold 90 % of the posterior of the difference; filled where it is all on one side of 0.${shown.length < rows.length ? ` The ${shown.length} largest are drawn.` : ""}`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 22 * shown.length + 62,
                marginBottom: 40,
                marginLeft: Math.min(260, width * 0.42),
                x: { label: "difference (points of percent)", transform: (x: number) => 100 * x, grid: true, ticks: width < 480 ? 3 : 6 },
                y: { label: null, domain: shown.map((r) => r.k), tickFormat: (k: number) => isolated(topicName(k), Math.min(34, width / 16)), tickSize: 0 },
                marks: [
                    Plot.ruleX([0], { stroke: "var(--muted)" }),
                    Plot.ruleY(shown, { y: "k", x1: "low", x2: "high", stroke: (r) => (r.mean < 0 ? "var(--negative)" : "var(--positive)"), strokeWidth: 2 }),
                    Plot.dot(shown, { x: "mean", y: "k", r: 4.5, symbol: (r) => (r.mean < 0 ? "square" : "circle"), stroke: (r) => (r.mean < 0 ? "var(--negative)" : "var(--positive)"), fill: (r) => (!r.clear ? "var(--surface)" : r.mean < 0 ? "var(--negative)" : "var(--positive)"), strokeWidth: 2 }),
                ],
                symbol: { type: "identity" } as Plot.ScaleOptions,
            }),
        table: () => ({ columns: ["topic", "difference", "5 %", "95 %"], rows: rows.map((r) => [topicName(r.k), r.mean, r.low, r.high]) }),
    });
}

function contrasts(): HTMLElement | null {
    if (pairs.size === 0) return null;
    const place = h("div", {}), keys = [...pairs.keys()];
    const draw = (pair: string) => clear(place, contrast(pair));
    draw(keys[0]);
    return h("section", { class: "plain" }, h("h3", {}, "Two groups compared"),
        h("div", { class: "controls" }, choice("Groups", keys.map((pair): [string, string] => [pair, (JSON.parse(pair) as string[]).map((name) => short(name, 26)).join(" minus ")]), keys[0], draw)),
        place);
}

// ---- a map ----

const MOST_PLACES = 400;

/** Neighbours of the graph, where its name says which they are. */
function edges(): [number, number][] {
    const names = all.map((g) => g.name);
    if (card.settings.get("graph")?.[0] === "chain") return names.slice(1).map((_, i): [number, number] => [i, i + 1]);
    if (card.settings.get("graph")?.[0] !== "grid") return [];
    // row by row, a chain within each row
    const row = (g: number) => names[g].slice(0, names[g].lastIndexOf("|"));
    return names.slice(1).map((_, i): [number, number] => [i, i + 1]).filter(([a, b]) => row(a) === row(b));
}

function map(): HTMLElement | null {
    const n = all.length;
    if (n < 3 || n > MOST_PLACES) return null;
    const affinity = affinities(all.map((g) => topics.map((k) => (g.share.get(k)?.mean ?? 0) as number)));
    const place = places(affinity, n).map((p, g) => ({ ...p, g, documents: all[g].documents }));
    const known = all.flatMap((g, i) => (g.documents > 0 ? [i] : []));
    if (known.length < 2) return null;
    let near: [number, number] = [known[1], known[0]], far: [number, number] = [known[1], known[0]];
    for (const i of known)
        for (const j of known.filter((other) => other < i)) {
            if (affinityOf(affinity, i, j) > affinityOf(affinity, ...near)) near = [i, j];
            if (affinityOf(affinity, i, j) < affinityOf(affinity, ...far)) far = [i, j];
        }
    const named = (g: number) => short(all[g].name, 30);
    const lines = edges();
    const most = Math.max(...all.map((g) => g.documents), 1);
    const width_ = Math.max(...place.map((p) => p.x)) - Math.min(...place.map((p) => p.x));
    const height_ = Math.max(...place.map((p) => p.y)) - Math.min(...place.map((p) => p.y));
    const step = Math.ceil(n / 40);
    return figure({
        finding: `Most alike in their topics are ${named(near[1])} and ${named(near[0])}, least alike ${named(far[1])} and ${named(far[0])}.`,
        how: `Groups on a plane: the nearer, the more alike their topic shares. Areas are numbers of documents.${lines.length > 0 ? " Lines join neighbours of the graph." : ""} Distances are rough, since a plane has no room for all of them.`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: Math.max(280, Math.min(560, width * Math.min(1, Math.max(0.35, height_ / (width_ || 1))))),
                margin: 34,
                marginRight: 60,
                marginLeft: 60,
                x: { axis: null },
                y: { axis: null },
                r: { type: "sqrt", domain: [0, most], range: [2.5, 12] },
                marks: [
                    Plot.link(lines, { x1: ([a]) => place[a].x, y1: ([a]) => place[a].y, x2: ([, b]) => place[b].x, y2: ([, b]) => place[b].y, stroke: "var(--muted)", strokeOpacity: 0.6, strokeWidth: 1.2 }),
                    Plot.dot(place, { x: "x", y: "y", r: "documents", fill: "var(--accent)", fillOpacity: 0.3, stroke: "var(--accent)" }),
                    Plot.text(place.filter((p) => p.g % step === 0 || p.g === n - 1), { x: "x", y: "y", text: (p) => isolated(all[p.g].name, 18), dy: -18, fill: "var(--text)", stroke: "var(--surface)", strokeWidth: 3 }),
                ],
            }),
        table: () => {
            const nearest = (i: number) => all.map((_, j) => j).filter((j) => j !== i).sort((a, b) => affinityOf(affinity, i, b) - affinityOf(affinity, i, a))[0];
            return { columns: ["group", "documents", "most alike", "affinity"], rows: all.map((g, i) => [g.name, g.documents, all[nearest(i)].name, affinityOf(affinity, i, nearest(i))]) };
        },
    });
}

export function groups(): HTMLElement[] {
    const order = [...topics].sort((a, b) => movement(b) - movement(a));
    const grid = h("div", { class: "grid" });
    const draw = (topic: string) => clear(grid, (topic === "" ? order.slice(0, 6) : [Number(topic)]).map(trend));
    draw("");
    return [
        h("p", { class: "how" }, `What documents of a group are about, before their words are known: the ${plural(all.length, "group")} are the values of `, h("bdi", {}, short(columnOf("groups", "group").title)), `.${withDocuments.length < all.length ? ` ${plural(all.length - withDocuments.length, "group")} without documents ${all.length - withDocuments.length === 1 ? "is" : "are"} known by the prior alone and not compared.` : ""} The six topics that change most come first.`),
        h("div", { class: "controls" }, choice("Topic", [["", "the six that change most"], ...order.map((k): [string, string] => [String(k), topicName(k, 0, 5)])], "", draw)),
        grid,
        contrasts(),
        map(),
    ].filter((e): e is HTMLElement => e !== null);
}
