// Topic shares of groups of documents.
import * as Plot from "@observablehq/plot";
import { differences, furthestApart, lines, mostAndLeast, MOST_LINES, movement, points, type Share } from "./curves";
import { choice, clear, h, isolated, plural, short } from "./dom";
import { figure, look } from "./figure";
import { affinities, affinityOf, places } from "./layout";
import { card, columnOf, rowsOf, type Row } from "./tables";
import { topicName } from "./topicset";

interface Group {
    name: string;
    documents: number;
    share: Map<number, Row>; // by topic, of a union the first; the smallest shares are missing if there is no room for them
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

const shape = card.settings.get("graph")?.[0];
/** Names of a grid are "row|column". */
const cut = (name: string): [string, string] => [name.slice(0, name.lastIndexOf("|")), name.slice(name.lastIndexOf("|") + 1)];
const rowNames = [...new Set(all.map((g) => cut(g.name)[0]))], columnNames = [...new Set(all.map((g) => cut(g.name)[1]))];
const isGrid = shape === "grid" && rowNames.length <= MOST_LINES && columnNames.length > 1;
const isLine = isGrid || (shape === "chain" && all.length > 1);

function sharesOf(topic: number): Share[] {
    return all.flatMap(({ name, documents, share }, at) => {
        const row = share.get(topic), [line, column] = cut(name);
        if (row === undefined) return [];
        const place = isGrid ? { line, at: columnNames.indexOf(column), label: column } : { line: "", at, label: name };
        return [{ ...place, mean: row.mean as number, low: row.q05 as number, high: row.q95 as number, isKnown: documents > 0 }];
    });
}

function trend(topic: number): HTMLElement {
    const shares = sharesOf(topic), names = all.map((g) => g.name);
    return figure({
        finding: isGrid && rowNames.length > 1 ? furthestApart(shares.filter((p) => p.isKnown), topic) : mostAndLeast(shares, topic, "in"),
        how: `Expected share of the topic in a document of the group; ${isLine ? "the band holds" : "bars hold"} 90 % of the posterior.`,
        class: "half",
        draw: (width) => (isLine ? lines(shares, { label: null, places: isGrid ? columnNames : names }, width) : points(shares, names, width)),
        table: () => ({ columns: ["group", "documents", "share", "5 %", "95 %"], rows: all.flatMap((g) => (g.share.has(topic) ? [[g.name, g.documents, g.share.get(topic)!.mean as number, g.share.get(topic)!.q05 as number, g.share.get(topic)!.q95 as number]] : [])) }),
    });
}

// ---- contrasts ----

const pairs = new Map<string, Row[]>(); // of two groups, by their names

for (const row of rowsOf("group-contrasts")) {
    const pair = JSON.stringify([row.group, row.minus]);
    pairs.set(pair, [...(pairs.get(pair) ?? []), row]);
}

function contrast(pair: string): HTMLElement {
    const found = pairs.get(pair)!, of = short(found[0].group as string), minus = short(found[0].minus as string);
    return differences(of, minus, `The share of a topic in ${of} less its share in ${minus}`, found.map((r) => ({ topic: topicOf(r), mean: r.mean as number, low: r.q05 as number, high: r.q95 as number })));
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
    if (shape === "chain") return names.slice(1).map((_, i): [number, number] => [i, i + 1]);
    if (shape !== "grid") return [];
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
    const known = (topic: number) => movement(sharesOf(topic).filter((p) => p.isKnown));
    const order = [...topics].sort((a, b) => known(b) - known(a));
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
