// Shares with their intervals: as points beside each other, or as lines with bands.
import * as Plot from "@observablehq/plot";
import { isolated, percent, plural, short, signed } from "./dom";
import { figure, look } from "./figure";
import { topicName } from "./topicset";

export interface Share {
    line: string; // "" if there is one line
    at: number; // a number, or a place among the labels
    label: string; // of the place or number
    mean: number;
    low: number;
    high: number;
    band?: [low: number, high: number]; // the whole line lies in it
    isKnown: boolean; // not by the prior alone
}

export interface Axis {
    label: string | null;
    /** Names of the places 0, 1, ...; without them `at` is a number. */
    places?: string[];
}

const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross"];
const LONGEST_NAME = 30;
const SIGNS = ["●", "■", "▲", "◆", "★", "✚"];
/** Lines that a drawing has room for. */
export const MOST_LINES = SYMBOLS.length;

const colour = (line: number) => `var(--c${line + 1})`;

/** By how much shares differ beyond their intervals: to put the most telling ones first. */
export function movement(shares: Share[]): number {
    return Math.max(...shares.map((p) => p.low)) - Math.min(...shares.map((p) => p.high));
}

/** Lines over numbers or places, each with a band; marks where lines are several. */
export function lines(shares: Share[], axis: Axis, width: number): Element {
    const all = [...new Set(shares.map((p) => p.line))], index = (p: Share) => all.indexOf(p.line);
    const isOne = all.length === 1, stroke = (p: Share) => (isOne ? "var(--accent)" : colour(index(p)));
    const every = axis.places === undefined ? 1 : Math.ceil(axis.places.length / Math.max(2, Math.floor(width / 48)));
    const places = axis.places?.map((_, at) => at);
    const known = shares.filter((p) => p.isKnown);
    const key = keyPlaces(all, width), above = isOne ? 0 : key[key.length - 1].y;
    const plot = Plot.plot({
        style: look,
        width,
        height: 260 + above,
        marginTop: 20 + above,
        marginBottom: 44,
        marginLeft: 50,
        x: places === undefined
            ? { label: axis.label, ticks: Math.max(3, Math.floor(width / 90)), tickFormat: (x: number) => String(Number(x.toPrecision(6))) }
            : { type: "point", domain: places, ticks: places.filter((i) => i % every === 0), tickFormat: (i: number) => isolated(axis.places![i], 12), label: axis.label },
        y: { label: "share (%)", percent: true, grid: true, zero: true, ticks: 5 },
        marks: [
            all.map((line) => Plot.areaY(shares.filter((p) => p.line === line), { x: "at", y1: "low", y2: "high", fill: stroke, fillOpacity: isOne ? 0.22 : 0.16 })),
            all.flatMap((line) => [0, 1].map((side) => Plot.line(shares.filter((p) => p.line === line && p.band !== undefined), { x: "at", y: (p: Share) => p.band![side], stroke, strokeOpacity: 0.75, strokeDasharray: "2 3" }))),
            Plot.line(shares, { x: "at", y: "mean", z: "line", stroke, strokeWidth: 2 }),
            axis.places !== undefined || !isOne ? Plot.dot(isOne || axis.places !== undefined ? known : known.filter((p, i) => (i + 4 * index(p)) % 6 === 0), { x: "at", y: "mean", r: isOne ? 2.5 : 3.5, symbol: (p) => SYMBOLS[index(p)], fill: stroke }) : null,
            Plot.ruleY([0], { stroke: "var(--line)" }),
        ],
        color: { type: "identity" },
        symbol: { type: "identity" } as Plot.ScaleOptions,
    });
    if (!isOne) key.forEach(({ x, y }, i) => plot.append(entry(i, all[i], x, y)));
    return plot;
}

const ROW = 18;

/** Where the names of lines stand, in rows above the drawing: in the drawing itself, so that its files have them. */
function keyPlaces(names: string[], width: number): { x: number; y: number }[] {
    let x = 4, y = 14 + ROW; // below the axis's label
    return names.map((text) => {
        const room = 34 + 8 * Math.min(Array.from(text).length, LONGEST_NAME);
        if (x > 4 && x + room > width) [x, y] = [4, y + ROW];
        x += room;
        return { x: x - room, y };
    });
}

function entry(i: number, line: string, x: number, y: number): SVGElement {
    const make = (tag: string, attributes: Record<string, string | number>, text: string) => {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
        element.textContent = text;
        return element;
    };
    const text = make("text", { x, y, fill: "currentColor", "text-anchor": "start" }, "");
    text.append(make("tspan", { fill: colour(i) }, SIGNS[i]), make("tspan", { dx: 5 }, isolated(line, LONGEST_NAME)));
    return text;
}

/** One share below the other, with its interval. */
export function points(shares: Share[], places: string[], width: number): Element {
    return Plot.plot({
        style: look,
        width,
        height: 20 * places.length + 62,
        marginBottom: 44,
        marginLeft: Math.min(170, width * 0.35),
        x: { label: "share (%)", percent: true, grid: true, zero: true, ticks: 5 },
        y: { label: null, domain: places.map((_, at) => at), tickFormat: (i: number) => isolated(places[i], 22), tickSize: 0 },
        marks: [
            Plot.ruleY(shares, { y: "at", x1: "low", x2: "high", stroke: "var(--accent)", strokeWidth: 2 }),
            Plot.dot(shares, { x: "mean", y: "at", r: 4, stroke: "var(--accent)", fill: (p: Share) => (p.isKnown ? "var(--accent)" : "var(--surface)") }),
        ],
    });
}

/** Where a topic has most and least, in a sentence. */
export function mostAndLeast(shares: Share[], topic: number, preposition: string): string {
    const compared = shares.some((p) => p.isKnown) ? shares.filter((p) => p.isKnown) : shares;
    const top = compared.reduce((a, b) => (b.mean > a.mean ? b : a)), bottom = compared.reduce((a, b) => (b.mean < a.mean ? b : a));
    return `${short(topicName(topic), 50)}: ${top.low > bottom.high ? "clearly more" : "at most a little more"} ${preposition} ${short(top.label)} (${percent(top.mean)}) than ${preposition} ${short(bottom.label)} (${percent(bottom.mean)}).`;
}

/** Where lines are furthest apart, in a sentence. */
export function furthestApart(shares: Share[], topic: number): string {
    let found: [gap: number, upper: Share, lower: Share] | null = null;
    for (const a of shares)
        for (const b of shares)
            if (a.at === b.at && a.line !== b.line && a.mean > b.mean && (found === null || a.low - b.high > found[0])) found = [a.low - b.high, a, b];
    const named = short(topicName(topic), 50);
    if (found === null || found[0] <= 0) return `${named}: the lines are nowhere clearly apart.`;
    const [, upper, lower] = found;
    return `${named}: clearly more in ${short(upper.line)} (${percent(upper.mean)}) than in ${short(lower.line)} (${percent(lower.mean)}) at ${short(upper.label)}.`;
}

// ---- differences ----

export interface Difference {
    topic: number;
    mean: number;
    low: number;
    high: number;
}

const MOST_ROWS = 16;

/** Differences of the shares of topics, each with its interval. */
export function differences(of: string, minus: string, what: string, rows: Difference[]): HTMLElement {
    const isClear = (r: Difference) => r.low > 0 || r.high < 0;
    const shown = [...rows].sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean)).slice(0, MOST_ROWS).sort((a, b) => b.mean - a.mean);
    const sure = rows.filter(isClear);
    const most = [...(sure.length > 0 ? sure : rows)].sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean))[0];
    const sign = (r: Difference) => (r.mean < 0 ? "var(--negative)" : "var(--positive)");
    return figure({
        finding: `${of} minus ${minus}: ${sure.length === 0 ? "no topic clearly differs" : `${plural(sure.length, "topic")} of ${rows.length} clearly ${sure.length === 1 ? "differs" : "differ"}, most of all ${short(topicName(most.topic), 50)} (${signed(100 * most.mean)} points)`}.`,
        how: `${what}, in points of percent. Lines hold 90 % of the posterior of the difference; filled where it is all on one side of 0.${shown.length < rows.length ? ` The ${shown.length} largest are drawn.` : ""}`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 22 * shown.length + 62,
                marginBottom: 40,
                marginLeft: Math.min(260, width * 0.42),
                x: { label: "difference (points of percent)", transform: (x: number) => 100 * x, grid: true, ticks: width < 480 ? 3 : 6 },
                y: { label: null, domain: shown.map((r) => r.topic), tickFormat: (k: number) => isolated(topicName(k), Math.min(34, width / 16)), tickSize: 0 },
                marks: [
                    Plot.ruleX([0], { stroke: "var(--muted)" }),
                    Plot.ruleY(shown, { y: "topic", x1: "low", x2: "high", stroke: sign, strokeWidth: 2 }),
                    Plot.dot(shown, { x: "mean", y: "topic", r: 4.5, symbol: (r) => (r.mean < 0 ? "square" : "circle"), stroke: sign, fill: (r) => (isClear(r) ? sign(r) : "var(--surface)"), strokeWidth: 2 }),
                ],
                symbol: { type: "identity" } as Plot.ScaleOptions,
            }),
        table: () => ({ columns: ["topic", "difference", "5 %", "95 %"], rows: rows.map((r) => [topicName(r.topic), r.mean, r.low, r.high]) }),
    });
}
