// Which settings were compared before the training, and how they did.
import * as Plot from "@observablehq/plot";
import { data, type Num } from "./data";
import { choice, clean, clear, h, isolated, name, number, plural, sentence, short, type Cell } from "./dom";
import { figure, look } from "./figure";
import type { Value } from "./tables";

const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];
const SIGNS = ["●", "■", "▲", "◆", "★", "✚", "Y"]; // what they look like

interface Score {
    section: string;
    name: string;
    mean: Num;
    se: Num;
    isCriterion: boolean;
    smallerIsBetter: boolean;
}

interface Candidate {
    settings: Record<string, string>;
    divisor: number; // of the documents or sweeps that it was tried on
    scores: Score[];
    verdict: string;
}

/** The candidates: all columns of the scores before the divisor are options. */
const candidates: Candidate[] = (data.selection?.selection ?? []).map((row, i) => {
    const rows = data.selection!["selection-scores"].filter((r) => r.candidate === i + 1 && !r.fold);
    const options = rows.length > 0 ? Object.keys(rows[0]).slice(0, Object.keys(rows[0]).indexOf("divisor")) : [];
    return {
        settings: Object.fromEntries(options.map((o) => [o, String(row[o] ?? "")])),
        divisor: Number(rows[0]?.divisor),
        scores: rows.map((r) => ({ section: String(r.section), name: String(r.score), mean: numberOf(r.value), se: numberOf(r.se), isCriterion: r.is_criterion === true, smallerIsBetter: r.smaller_is_better === true })),
        verdict: String(row.verdict ?? ""),
    };
});

function numberOf(value: Value): Num {
    return typeof value === "number" ? value : null;
}

function scoreOf(c: Candidate, of: Score): Score | undefined {
    return c.scores.find((s) => s.section === of.section && s.name === of.name);
}

/** Options with several values; without any, all. */
function varied(): string[] {
    const all = Object.keys(candidates[0].settings);
    const several = all.filter((o) => new Set(candidates.map((c) => c.settings[o])).size > 1);
    return several.length > 0 ? several : all;
}

/** The option along the axis: one of numbers, the topics if they vary. */
function axisOption(): string {
    const options = varied();
    const numeric = options.filter((o) => candidates.every((c) => c.settings[o] !== "" && Number.isFinite(Number(c.settings[o]))));
    return numeric.find((o) => o === "topics") ?? numeric[0] ?? options[0];
}

function label(c: Candidate, without?: string): string {
    return varied().filter((o) => o !== without).map((o) => `${o} ${c.settings[o]}`).join(", ");
}

interface Point {
    candidate: number;
    at: string;
    line: string;
    mean: number;
    low: number;
    high: number;
}

function drawing(of: Score): HTMLElement {
    const axis = axisOption(), score = of.name, smaller = of.smallerIsBetter;
    const points = candidates.flatMap((c, i): Point[] => {
        const s = scoreOf(c, of);
        if (s === undefined || s.mean === null || c.divisor > 1) return [];
        return [{ candidate: i, at: c.settings[axis], line: label(c, axis), mean: s.mean, low: s.mean - (s.se ?? 0), high: s.mean + (s.se ?? 0) }];
    });
    const dropped = candidates.filter((c) => c.divisor > 1).length;
    const at = [...new Set(points.map((p) => p.at))].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
    const lines = [...new Set(points.map((p) => p.line))];
    const symbol = new Map(lines.map((l, i) => [l, SYMBOLS[i % SYMBOLS.length]]));
    const colour = new Map(lines.map((l, i) => [l, `var(--c${(i % 8) + 1})`]));
    const top = points.reduce<Point | null>((a, b) => (a === null || (smaller ? b.mean < a.mean : b.mean > a.mean) ? b : a), null);
    const taken = points.find((p) => candidates[p.candidate].verdict.includes("advised"));
    const limit = of.isCriterion && top !== null && candidates[top.candidate].verdict.includes("best") ? (smaller ? top.high : top.low) : null;
    const lowest = Math.min(...points.map((p) => p.low)), highest = Math.max(...points.map((p) => p.high));
    const room = 0.08 * (highest - lowest) || 0.05 * Math.abs(highest) || 1;
    const told = (p: Point) => `${number(p.mean)} with ${clean(label(candidates[p.candidate]))}`;
    return figure({
        finding: top === null ? `No candidate has the score ${score}.` : `The best ${score.replace("_", " ")} is ${told(top)}${taken !== undefined && taken !== top ? `; what was advised has ${number(taken.mean)}` : ""}.`,
        how: `Means over the folds, lines one standard error to each side; ${smaller ? "small" : "large"} is good.${limit !== null ? " Candidates on its side of the dashed line are within one standard error of the best." : ""} The ring is around what was advised.${dropped > 0 ? ` ${plural(dropped, "candidate")} dropped after a part of the documents or sweeps ${dropped === 1 ? "is" : "are"} in the table only.` : ""}`,
        draw: (width) => {
            const plot = Plot.plot({
                style: look,
                width,
                height: 340,
                marginBottom: 44,
                marginLeft: 64,
                marginRight: 30,
                x: { type: "point", domain: at, label: axis, padding: 0.6, tickFormat: (v: string) => isolated(v, 16) },
                y: { label: score.replace("_", " "), grid: true, ticks: 5, domain: [lowest - room, highest + room] },
                marks: [
                    limit !== null ? Plot.ruleY([limit], { stroke: "var(--muted)", strokeDasharray: "5 4" }) : null,
                    Plot.line(points, { x: "at", y: "mean", z: "line", stroke: (p) => colour.get(p.line), strokeWidth: 1.4, sort: (p: Point) => at.indexOf(p.at) }),
                    Plot.ruleX(points.filter((p) => p.high > p.low), { x: "at", y1: "low", y2: "high", stroke: (p) => colour.get(p.line), strokeWidth: 2 }),
                    Plot.dot(points, { x: "at", y: "mean", symbol: (p) => symbol.get(p.line), fill: (p) => colour.get(p.line), r: 5 }),
                    taken !== undefined ? Plot.dot([taken], { x: "at", y: "mean", r: 11, stroke: "var(--text)", strokeWidth: 2 }) : null,
                ],
                color: { type: "identity" },
                symbol: { type: "identity" } as Plot.ScaleOptions,
            });
            if (lines.length < 2) return plot;
            const key = h("ul", { class: "key" }, lines.map((l, i) => h("li", {}, h("span", { style: `color:${colour.get(l)}`, "aria-hidden": "true" }, SIGNS[i % SIGNS.length]), " ", name(l, 60))));
            return h("div", {}, key, plot);
        },
        table: () => ({
            columns: [...varied(), "share tried on", score, "standard error", ""],
            rows: candidates.map((c): Cell[] => {
                const s = scoreOf(c, of);
                return [...varied().map((o) => c.settings[o]), c.divisor === 1 ? "all" : `1/${c.divisor}`, s?.mean ?? null, s?.se ?? null, c.verdict];
            }),
        }),
    });
}

export function selectionSection(): HTMLElement[] {
    const scores = [...new Map(candidates.flatMap((c) => c.scores.filter((s) => s.se !== null || s.isCriterion)).map((s) => [JSON.stringify([s.section, s.name]), s])).values()];
    const first = Math.max(0, scores.findIndex((s) => s.isCriterion)), criterion = scores[first];
    const several = new Set(scores.map((s) => s.section)).size > 1;
    const place = h("section", { "aria-label": "Candidates" });
    const draw = (i: string) => clear(place, drawing(scores[Number(i)]));
    draw(String(first));
    return [
        h("p", { class: "how" }, `Settings that were tried before this model was trained, on documents that their models had not seen: ${plural(candidates.length, "candidate")}, compared by ${criterion.name.replace("_", " ")}${several ? " of " : ""}`, several && name(criterion.section), ". Those within one standard error of the best cannot be told from it."),
        h("div", { class: "verdict good", role: "note" }, h("span", { class: "sign", "aria-hidden": "true" }, "✓"), h("strong", {}, sentence(data.selection!.notes[0]))),
        h("div", { class: "controls" }, choice("Score", scores.map((s, i): [string, string] => [String(i), several ? `${short(s.section, 20)}: ${s.name}` : s.name]), String(first), draw)),
        place,
    ];
}
