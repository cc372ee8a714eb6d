// Which settings were compared before the training, and how they did.
import * as Plot from "@observablehq/plot";
import { data, type Candidate, type Num } from "./data";
import { choice, clean, clear, h, isolated, name, number, plural, sentence, short, type Cell } from "./dom";
import { figure, look } from "./figure";

const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];
const SIGNS = ["●", "■", "▲", "◆", "★", "✚", "Y"]; // what they look like
const SMALLER_IS_BETTER = ["perplexity", "mae", "rmse", "log_loss", "brier", "ece", "hamming_loss", "seconds"];

function selection() {
    return data.selection!;
}

function scoreOf(c: Candidate, section: string, score: string): { mean: Num; se: Num } | undefined {
    return c.scores.find((s) => s.section === section && s.name === score);
}

/** Options with several values; without any, all. */
function varied(): string[] {
    const { candidates } = selection();
    const all = Object.keys(candidates[0].settings);
    const several = all.filter((o) => new Set(candidates.map((c) => c.settings[o])).size > 1);
    return several.length > 0 ? several : all;
}

/** The option along the axis: one of numbers, the topics if they vary. */
function axisOption(): string {
    const options = varied();
    const numeric = options.filter((o) => selection().candidates.every((c) => c.settings[o] !== "" && Number.isFinite(Number(c.settings[o]))));
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

function drawing(section: string, score: string): HTMLElement {
    const { candidates, best, advised, criterion, smaller_is_better } = selection();
    const axis = axisOption();
    const isCriterion = score === criterion && section === selection().section;
    const smaller = isCriterion ? smaller_is_better : SMALLER_IS_BETTER.includes(score);
    const points = candidates.flatMap((c, i): Point[] => {
        const s = scoreOf(c, section, score);
        if (s === undefined || s.mean === null || c.divisor > 1) return [];
        return [{ candidate: i, at: c.settings[axis], line: label(c, axis), mean: s.mean, low: s.mean - (s.se ?? 0), high: s.mean + (s.se ?? 0) }];
    });
    const dropped = candidates.filter((c) => c.divisor > 1).length;
    const at = [...new Set(points.map((p) => p.at))].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
    const lines = [...new Set(points.map((p) => p.line))];
    const symbol = new Map(lines.map((l, i) => [l, SYMBOLS[i % SYMBOLS.length]]));
    const colour = new Map(lines.map((l, i) => [l, `var(--c${(i % 8) + 1})`]));
    const top = points.reduce<Point | null>((a, b) => (a === null || (smaller ? b.mean < a.mean : b.mean > a.mean) ? b : a), null);
    const taken = points.find((p) => p.candidate === advised);
    const limit = isCriterion && top !== null && top.candidate === best ? (smaller ? top.high : top.low) : null;
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
            rows: candidates.map((c, i): Cell[] => {
                const s = scoreOf(c, section, score);
                return [...varied().map((o) => c.settings[o]), c.divisor === 1 ? "all" : `1/${c.divisor}`, s?.mean ?? null, s?.se ?? null, [i === best ? "best" : "", i === advised ? "advised" : ""].filter((t) => t !== "").join(", ")];
            }),
        }),
    });
}

export function selectionSection(): HTMLElement[] {
    const { candidates, section, criterion, advice } = selection();
    const scores = [...new Map(candidates.flatMap((c) => c.scores.filter((s) => s.se !== null || s.name === criterion)).map((s) => [JSON.stringify([s.section, s.name]), s])).values()];
    const several = new Set(scores.map((s) => s.section)).size > 1;
    const place = h("section", { "aria-label": "Candidates" });
    const draw = (i: string) => clear(place, drawing(scores[Number(i)].section, scores[Number(i)].name));
    const first = String(Math.max(0, scores.findIndex((s) => s.section === section && s.name === criterion)));
    draw(first);
    return [
        h("p", { class: "how" }, `Settings that were tried before this model was trained, on documents that their models had not seen: ${plural(candidates.length, "candidate")}, compared by ${criterion.replace("_", " ")}${several ? " of " : ""}`, several && name(section), ". Those within one standard error of the best cannot be told from it."),
        h("div", { class: "verdict good", role: "note" }, h("span", { class: "sign", "aria-hidden": "true" }, "✓"), h("strong", {}, sentence(advice))),
        h("div", { class: "controls" }, choice("Score", scores.map((s, i): [string, string] => [String(i), several ? `${short(s.section, 20)}: ${s.name}` : s.name]), first, draw)),
        place,
    ];
}
