// Topic shares of groups of documents.
import * as Plot from "@observablehq/plot";
import { data } from "./data";
import { choice, clear, h, isolated, percent, plural, short } from "./dom";
import { figure, look } from "./figure";
import { topicName } from "./topicset";

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
    const step = Math.ceil(all.length / 12);
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
                          x: { type: "point", domain: all.map((p) => p.at), ticks: all.map((p) => p.at).filter((i) => i % step === 0), tickFormat: (i: number) => isolated(all[i].group, 12), label: null },
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

export function groups(): HTMLElement[] {
    const { names, field } = data.groups!;
    const order = data.sets[0].topics.map((_, k) => k).sort((a, b) => movement(b) - movement(a));
    const grid = h("div", { class: "grid" });
    const draw = (topic: string) => clear(grid, (topic === "" ? order.slice(0, 6) : [Number(topic)]).map(trend));
    draw("");
    return [
        h("p", { class: "how" }, `What documents of a group are about, before their words are known: the ${plural(names.length, "group")} are the values of `, h("bdi", {}, short(field)), ". Groups without documents have wide bands. The six topics that change most come first."),
        h("div", { class: "controls" }, choice("Topic", [["", "the six that change most"], ...order.map((k): [string, string] => [String(k), topicName(k, 0, 5)])], "", draw)),
        grid,
    ];
}
