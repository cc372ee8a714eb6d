// Topic shares of groups of documents.
import * as Plot from "@observablehq/plot";
import { data } from "./data";
import { choice, clear, h, isolated, percent, plural, short, signed } from "./dom";
import { figure, look } from "./figure";
import { affinities, affinityOf, places } from "./layout";
import { topicName, topicsOf } from "./topicset";

interface Point {
    group: string;
    at: number;
    mean: number;
    low: number;
    high: number;
    documents: number;
}

function points(topic: number): Point[] {
    const { names, shares, documents } = data.groups!;
    return names.map((group, i) => ({ group, at: i, mean: shares[i].mean[topic], low: shares[i].q05[topic], high: shares[i].q95[topic], documents: documents[i] }));
}

/** By how much a topic changes beyond its intervals: to put the most telling ones first. */
function movement(topic: number): number {
    const all = points(topic);
    return Math.max(...all.map((p) => p.low)) - Math.min(...all.map((p) => p.high));
}

function trend(topic: number): HTMLElement {
    const all = points(topic);
    const top = all.reduce((a, b) => (b.mean > a.mean ? b : a)), bottom = all.reduce((a, b) => (b.mean < a.mean ? b : a));
    const clear = top.low > bottom.high;
    const isLine = data.card.settings?.graph === "chain" && all.length > 1;
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
                          x: { type: "point", domain: all.map((p) => p.at), ticks: all.map((p) => p.at).filter((i) => i % every(width) === 0), tickFormat: (i: number) => isolated(all[i].group, 12), label: null },
                          y: { label: "share (%)", percent: true, grid: true, zero: true, ticks: 5 },
                          marks: [
                              Plot.areaY(all, { x: "at", y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.22 }),
                              Plot.line(all, { x: "at", y: "mean", stroke: "var(--accent)", strokeWidth: 2 }),
                              Plot.dot(all, { x: "at", y: "mean", r: 2.5, fill: "var(--accent)" }),
                              Plot.ruleY([0], { stroke: "var(--line)" }),
                          ],
                      }
                    : {
                          x: { label: "share (%)", percent: true, grid: true, zero: true, ticks: 5 },
                          y: { label: null, domain: all.map((p) => p.at), tickFormat: (i: number) => isolated(all[i].group, 22), tickSize: 0 },
                          marks: [
                              Plot.ruleY(all, { y: "at", x1: "low", x2: "high", stroke: "var(--accent)", strokeWidth: 2 }),
                              Plot.dot(all, { x: "mean", y: "at", r: 4, fill: "var(--accent)" }),
                          ],
                      }),
            }),
        table: () => ({ columns: ["group", "documents", "share", "5 %", "95 %"], rows: all.map((p) => [p.group, p.documents, p.mean, p.low, p.high]) }),
    });
}

// ---- contrasts ----

const MOST_ROWS = 16;

function points100(share: number): string {
    return `${signed(100 * share)} points`;
}

function contrast(i: number): HTMLElement {
    const { names, contrasts } = data.groups!;
    const c = contrasts[i], of = short(names[c.of]), minus = short(names[c.minus]);
    const rows = topicsOf(0).map((k) => ({ k, mean: c.mean[k], low: c.q05[k], high: c.q95[k], clear: c.q05[k] > 0 || c.q95[k] < 0 }));
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
    const { names, contrasts: all } = data.groups!;
    if (all.length === 0) return null;
    const place = h("div", {});
    const draw = (i: string) => clear(place, contrast(Number(i)));
    draw("0");
    return h("section", { class: "plain" }, h("h3", {}, "Two groups compared"),
        h("div", { class: "controls" }, choice("Groups", all.map((c, i): [string, string] => [String(i), `${short(names[c.of], 26)} minus ${short(names[c.minus], 26)}`]), "0", draw)),
        place);
}

// ---- a map ----

const MOST_PLACES = 400;

/** Neighbours of the graph, where its name says which they are. */
function edges(): [number, number][] {
    const { names } = data.groups!;
    if (data.card.settings?.graph === "chain") return names.slice(1).map((_, i): [number, number] => [i, i + 1]);
    if (data.card.settings?.graph !== "grid") return [];
    // row by row, a chain within each row
    const row = (g: number) => names[g].slice(0, names[g].lastIndexOf("|"));
    return names.slice(1).map((_, i): [number, number] => [i, i + 1]).filter(([a, b]) => row(a) === row(b));
}

function map(): HTMLElement | null {
    const { names, shares, documents } = data.groups!;
    const n = names.length;
    if (n < 3 || n > MOST_PLACES) return null;
    const affinity = affinities(shares.map((s) => s.mean));
    const place = places(affinity, n).map((p, g) => ({ ...p, g, documents: documents[g] }));
    let near: [number, number] = [1, 0], far: [number, number] = [1, 0];
    for (let i = 1; i < n; i++)
        for (let j = 0; j < i; j++) {
            if (affinityOf(affinity, i, j) > affinityOf(affinity, ...near)) near = [i, j];
            if (affinityOf(affinity, i, j) < affinityOf(affinity, ...far)) far = [i, j];
        }
    const named = (g: number) => short(names[g], 30);
    const lines = edges();
    const most = Math.max(...documents, 1);
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
                    Plot.text(place.filter((p) => p.g % step === 0 || p.g === n - 1), { x: "x", y: "y", text: (p) => isolated(names[p.g], 18), dy: -18, fill: "var(--text)", stroke: "var(--surface)", strokeWidth: 3 }),
                ],
            }),
        table: () => {
            const nearest = (i: number) => names.map((_, j) => j).filter((j) => j !== i).sort((a, b) => affinityOf(affinity, i, b) - affinityOf(affinity, i, a))[0];
            return { columns: ["group", "documents", "most alike", "affinity"], rows: names.map((name, i) => [name, documents[i], names[nearest(i)], affinityOf(affinity, i, nearest(i))]) };
        },
    });
}

export function groups(): HTMLElement[] {
    const { names, field } = data.groups!;
    const order = topicsOf(0).sort((a, b) => movement(b) - movement(a));
    const grid = h("div", { class: "grid" });
    const draw = (topic: string) => clear(grid, (topic === "" ? order.slice(0, 6) : [Number(topic)]).map(trend));
    draw("");
    return [
        h("p", { class: "how" }, `What documents of a group are about, before their words are known: the ${plural(names.length, "group")} are the values of `, h("bdi", {}, short(field)), ". Groups without documents have wide bands. The six topics that change most come first."),
        h("div", { class: "controls" }, choice("Topic", [["", "the six that change most"], ...order.map((k): [string, string] => [String(k), topicName(k, 0, 5)])], "", draw)),
        grid,
        contrasts(),
        map(),
    ].filter((e): e is HTMLElement => e !== null);
}
