// What moves the scores, and how good predictions are.
import * as Plot from "@observablehq/plot";
import { data } from "./data";
import { choice, clean, clear, count, h, isolated, name, newId, number, percent, plural, short, signed, table } from "./dom";
import { diverging, figure, look } from "./figure";
import { showDocuments } from "./documents";
import { card, doubts, effectOfTopic, effectsOf, evaluations, haveIntervals, outputs, remarks, type Effect, type Evaluation, type Response } from "./tables";
import { topicName } from "./topicset";

const state = { response: 0, output: 0 };
const MOST_WORDS = 15;

interface Row extends Effect {
    label: string;
    mean: number;
}

function isClear(r: Row): boolean {
    return r.low !== null && r.high !== null && (r.low > 0 || r.high < 0);
}

/** Of topics, covariates, ... of a score: of words those that are clearest. */
function rowsOf(output: number, kind: string): Row[] {
    const all = effectsOf(output, kind);
    const kept = new Set([...all].sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0)).slice(0, kind === "word" ? MOST_WORDS : all.length));
    return all.filter((e) => kept.has(e)).map((e) => ({ ...e, mean: e.mean!, label: e.topic >= 0 ? topicName(e.topic, card.oneVsRest ? output : 0) : e.feature }));
}

/** The largest at both ends, in falling order. */
function extremes(rows: Row[], n: number): Row[] {
    const kept = new Set([...rows].sort((a, b) => Math.abs(b.mean) - Math.abs(a.mean)).slice(0, n));
    return rows.filter((r) => kept.has(r)).sort((a, b) => b.mean - a.mean);
}

/** What is predicted by an output, and what more of it means. */
function meaning(r: Response, output: number): string {
    if (!r.hasClassScores) return r.task === "ordinal" ? `a higher ${short(r.field)}` : `a larger ${short(r.field)}`;
    return `the class ${short(outputs[output])}`;
}

function forest(title: string, rows: Row[], what: string, axis: string): HTMLElement | null {
    if (rows.length === 0) return null;
    const shown = extremes(rows, 24);
    const haveIntervals = rows.some((r) => r.low !== null);
    const clear = shown.filter(isClear);
    const up = clear[0] ?? { mean: 0 }, down = clear[clear.length - 1] ?? { mean: 0 };
    const sentence = [up.mean > 0 ? `most for ${what}: ${short(up.label)} (${signed(up.mean)})` : "", down.mean < 0 ? `most against it: ${short(down.label)} (${signed(down.mean)})` : ""].filter((s) => s !== "").join("; ");
    const hasShrinkage = rows.some((r) => r.shrinkage !== null);
    return figure({
        finding: haveIntervals ? `${title}${sentence === "" ? ": the interval of each contains 0" : `, ${sentence}`}.` : `${title}: means in the training.`,
        isHeadline: haveIntervals,
        how: (haveIntervals ? "Dots are posterior means, lines hold 90 % of the posterior; filled where it is all on one side of 0." : "Dots are what the scores of the model use; they have no intervals.") + (shown.length < rows.length ? ` The ${shown.length} largest of ${rows.length} are drawn.` : ""),
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 22 * shown.length + 62,
                marginBottom: 40,
                marginLeft: Math.min(260, width * 0.42),
                x: { label: axis, grid: true, zero: true, ticks: width < 480 ? 3 : 6 },
                y: { label: null, domain: shown.map((_, i) => i), tickFormat: (i: number) => isolated(shown[i].label, Math.min(34, width / 16)), tickSize: 0 },
                marks: [
                    Plot.ruleX([0], { stroke: "var(--muted)" }),
                    Plot.ruleY(shown, { y: (_, i) => i, x1: (r: Row) => r.low ?? r.mean, x2: (r: Row) => r.high ?? r.mean, stroke: (r: Row) => (r.mean < 0 ? "var(--negative)" : "var(--positive)"), strokeWidth: 2 }),
                    Plot.dot(shown, { y: (_, i) => i, x: "mean", r: 4.5, symbol: (r: Row) => (r.mean < 0 ? "square" : "circle"), stroke: (r: Row) => (r.mean < 0 ? "var(--negative)" : "var(--positive)"), fill: (r: Row) => (!isClear(r) ? "var(--surface)" : r.mean < 0 ? "var(--negative)" : "var(--positive)"), strokeWidth: 2 }),
                ],
                symbol: { type: "identity" } as Plot.ScaleOptions,
                color: { type: "identity" },
            }),
        table: () => ({
            columns: ["feature", "effect", ...(haveIntervals ? ["5 %", "95 %", "P(>0)"] : []), ...(hasShrinkage ? ["shrunk"] : [])],
            rows: [...rows].sort((a, b) => b.mean - a.mean).map((r) => [r.label, r.mean, ...(haveIntervals ? [r.low, r.high, r.p] : []), ...(hasShrinkage ? [r.shrinkage] : [])]),
        }),
    });
}

// ---- all classes at once ----

const MAX_COLUMNS = 24, MAX_LINES = 30;

function heat(r: Response): HTMLElement | null {
    if (r.outputs < 2 || card.oneVsRest) return null;
    const here = Array.from({ length: r.outputs }, (_, i) => r.first + i);
    const mean = (l: number, k: number) => effectOfTopic(l, k)?.mean ?? 0;
    const size = (k: number) => Math.max(...here.map((l) => Math.abs(mean(l, k))));
    const all = effectsOf(r.first, "topic").map((e) => e.topic);
    const topics = [...all].sort((a, b) => size(b) - size(a)).slice(0, MAX_LINES);
    const weight = (l: number) => Math.max(...topics.map((k) => mean(l, k)));
    const columns = [...here].sort((a, b) => weight(b) - weight(a)).slice(0, MAX_COLUMNS).sort((a, b) => a - b);
    // topics beside those that speak for the same class
    const home = (k: number) => columns.reduce((best, l) => (mean(l, k) > mean(best, k) ? l : best), columns[0]);
    topics.sort((a, b) => home(a) - home(b) || size(b) - size(a));
    const cells = topics.flatMap((k) => columns.map((l) => ({ k, l, mean: mean(l, k), low: effectOfTopic(l, k)?.low ?? null, high: effectOfTopic(l, k)?.high ?? null })));
    const most = Math.max(...cells.map((c) => Math.abs(c.mean)), 1e-300);
    const top = cells.reduce((a, b) => (b.mean > a.mean ? b : a));
    const isClear = top.low !== null && top.low > 0;
    const cut = topics.length < all.length || columns.length < here.length;
    return figure({
        finding: isClear ? `The strongest link: ${short(topicName(top.k), 40)} speaks for ${short(outputs[top.l])} (${signed(top.mean)}).` : `Topics and classes${haveIntervals ? "" : ": means in the training"}.`,
        isHeadline: isClear,
        how: `${haveIntervals ? "Effects of topics (rows) on the scores of classes (columns): a plus or minus marks those that are clearly above or below 0." : "What the scores of classes (columns) use of topics (rows); no interval says which of these are more than chance."}${cut ? ` The ${plural(topics.length, "topic")} and ${plural(columns.length, "class", "classes")} with the largest effects are drawn.` : ""}`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 20 * topics.length + 130,
                marginTop: 8,
                marginBottom: 120,
                marginLeft: Math.min(250, width * 0.36),
                padding: 0.06,
                x: { domain: columns, tickFormat: (l: number) => isolated(outputs[l], 20), tickRotate: -45, label: null, tickSize: 0 },
                y: { domain: topics, tickFormat: (k: number) => isolated(topicName(k), Math.min(32, width / 18)), label: null, tickSize: 0 },
                color: { type: "identity" },
                marks: [
                    Plot.cell(cells, { x: "l", y: "k", fill: (c) => diverging((c.mean ?? 0) / most), stroke: "var(--line)", strokeWidth: 0.5 }),
                    Plot.text(cells.filter((c) => c.low !== null && (c.low > 0 || c.high! < 0) && Math.abs(c.mean!) > 0.08 * most), { x: "l", y: "k", text: (c) => (c.mean! > 0 ? "+" : "−"), fill: "var(--text)", fontWeight: 700 }),
                ],
            }),
        table: () => ({ columns: ["topic", ...columns.map((l) => outputs[l])], rows: topics.map((k) => [topicName(k), ...columns.map((l) => mean(l, k))]) }),
    });
}

function blocks(): HTMLElement | null {
    const rows = effectsOf(state.output, "variance").map((e) => ({ block: e.feature, mean: e.mean, q05: e.low, q95: e.high }));
    if (rows.length === 0) return null;
    const most = rows.reduce((a, b) => (b.mean! > a.mean! ? b : a));
    const haveIntervals = rows.some((b) => b.q05 !== null);
    return figure({
        finding: haveIntervals ? `Most of what moves this score is ${most.block}: ${percent(most.mean)} of its variance.` : "What moves this score in the training.",
        isHeadline: haveIntervals,
        how: `The variance of the score over the training documents, split by kinds of features${haveIntervals ? "; lines hold 90 % of the posterior" : ""}.`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 30 * rows.length + 62,
                marginBottom: 40,
                marginLeft: 110,
                x: { label: "share of variance (%)", percent: true, grid: true, ticks: 5 },
                y: { label: null, domain: rows.map((b) => b.block), tickSize: 0 },
                marks: [
                    Plot.barX(rows, { x: "mean", y: "block", fill: "var(--accent)", insetTop: 6, insetBottom: 6, rx: 2 }),
                    Plot.ruleY(rows.filter((b) => b.q05 !== null), { x1: "q05", x2: "q95", y: "block", stroke: "var(--text)", strokeWidth: 2 }),
                    Plot.ruleX([0], { stroke: "var(--line)" }),
                ],
            }),
        table: () => ({ columns: ["kind", "share", ...(haveIntervals ? ["5 %", "95 %"] : [])], rows: rows.map((b) => [b.block, b.mean, ...(haveIntervals ? [b.q05, b.q95] : [])]) }),
    });
}

// ---- how good predictions are ----

function reliability(e: Evaluation): HTMLElement | null {
    const bins = e.bins.filter((b) => b.n > 0 && b.mean !== null && b.share !== null).map((b) => {
        const error = 1.645 * Math.sqrt((b.share! * (1 - b.share!) + 0.25 / b.n) / b.n);
        return { ...b, low90: Math.max(0, b.share! - error), high90: Math.min(1, b.share! + error) };
    });
    if (bins.length === 0) return null;
    const all = bins.reduce((sum, b) => sum + b.n, 0);
    const gap = bins.reduce((sum, b) => sum + (b.n * Math.abs(b.share! - b.mean!)) / all, 0);
    return figure({
        finding: `Probabilities are off by ${percent(gap)} on average.`,
        how: "Of predictions with about this probability, the share that came true; on the diagonal probabilities can be taken at their word. Lines are rough 90 % intervals.",
        class: "half",
        draw: (width) => {
            const side = Math.min(width, 420);
            return Plot.plot({
                style: look,
                width: side,
                height: side * 0.85,
                marginLeft: 54,
                marginTop: 28,
                marginBottom: 40,
                x: { label: "probability that was given (%)", percent: true, domain: [0, 100], grid: true },
                y: { label: "came true (%)", percent: true, domain: [0, 100], grid: true },
                r: { range: [2, 11] },
                marks: [
                    Plot.line([[0, 0], [1, 1]], { stroke: "var(--muted)", strokeDasharray: "4 4" }),
                    Plot.ruleX(bins, { x: "mean", y1: "low90", y2: "high90", stroke: "var(--accent)" }),
                    Plot.dot(bins, { x: "mean", y: "share", r: "n", fill: "var(--accent)" }),
                ],
            });
        },
        table: () => ({ columns: ["from", "to", "predictions", "mean probability", "came true"], rows: bins.map((b) => [b.low, b.high, b.n, b.mean, b.share]) }),
    });
}

function roc(e: Evaluation, r: Response): HTMLElement | null {
    if (r.task !== "binary") return null;
    const scored = data.documents!.docs
        .map((d) => d.predictions[e.response])
        .filter((p) => p[0] !== null && p[4] !== null)
        .map((p) => ({ positive: p[0]![0] === 1, score: p[4]! }))
        .sort((a, b) => b.score - a.score);
    const positives = scored.filter((s) => s.positive).length, negatives = scored.length - positives;
    if (positives === 0 || negatives === 0) return null;
    const curve = [{ x: 0, y: 0 }];
    let hits = 0, alarms = 0, area = 0;
    scored.forEach((s, i) => {
        if (s.positive) hits++;
        else alarms++;
        if (i + 1 < scored.length && scored[i + 1].score === s.score) return;
        const last = curve[curve.length - 1], point = { x: alarms / negatives, y: hits / positives };
        area += ((point.x - last.x) * (point.y + last.y)) / 2;
        curve.push(point);
    });
    const step = Math.max(1, Math.floor(curve.length / 400));
    const drawn = curve.filter((_, i) => i % step === 0 || i === curve.length - 1);
    return figure({
        finding: `The area under the curve is ${number(area)}: so often does a document of ${short(r.classes[1])} score above one of ${short(r.classes[0])}.`,
        how: "For every threshold: the share of the positive class that is found against false alarms among the other. The diagonal is guessing.",
        class: "half",
        draw: (width) => {
            const side = Math.min(width, 420);
            return Plot.plot({
                style: look,
                width: side,
                height: side * 0.85,
                marginLeft: 54,
                marginTop: 28,
                marginBottom: 40,
                x: { label: "false alarms (%)", percent: true, domain: [0, 100], grid: true },
                y: { label: "found (%)", percent: true, domain: [0, 100], grid: true },
                marks: [Plot.line([[0, 0], [1, 1]], { stroke: "var(--muted)", strokeDasharray: "4 4" }), Plot.line(drawn, { x: "x", y: "y", stroke: "var(--accent)", strokeWidth: 2.5 })],
            });
        },
        table: () => ({ columns: ["false alarms", "found"], rows: drawn.filter((_, i) => i % Math.ceil(drawn.length / 50) === 0).map((p) => [p.x, p.y]) }),
    });
}

function residuals(e: Evaluation, r: Response): HTMLElement | null {
    if (r.task !== "regression") return null;
    const all = data.documents!.docs
        .map((d) => ({ id: d.id, p: d.predictions[e.response] }))
        .filter((d) => d.p[0] !== null)
        .map((d) => ({ id: d.id, truth: d.p[0]![0], guess: d.p[1][0], low: d.p[5]!, high: d.p[6]! }));
    if (all.length === 0) return null;
    const inside = all.filter((d) => d.truth >= d.low && d.truth <= d.high).length / all.length;
    const step = Math.max(1, Math.ceil(all.length / 2000));
    const drawn = all.filter((_, i) => i % step === 0);
    return figure({
        finding: `${percent(inside)} of the true values of ${short(r.field)} are inside their 90 % intervals.`,
        how: "Each dot is a document: on the line the prediction is right; crosses are outside their interval.",
        class: "half",
        draw: (width) =>
            Plot.plot({
                style: look,
                width: Math.min(width, 520),
                height: Math.min(width, 520) * 0.8,
                marginLeft: 60,
                marginTop: 28,
                marginBottom: 40,
                x: { label: "predicted", grid: true, nice: true },
                y: { label: "true", grid: true, nice: true },
                symbol: { domain: [true, false], range: ["circle", "times"] },
                color: { type: "identity" },
                marks: [
                    Plot.line(drawn, { x: "guess", y: "guess", sort: "guess", stroke: "var(--muted)", strokeDasharray: "4 4" }),
                    Plot.dot(drawn, { x: "guess", y: "truth", r: 3, symbol: (d) => d.truth >= d.low && d.truth <= d.high, stroke: (d) => (d.truth >= d.low && d.truth <= d.high ? "var(--accent)" : "var(--negative)"), strokeOpacity: 0.7 }),
                ],
            }),
        table: () => ({ columns: ["document", "true", "predicted", "5 %", "95 %"], rows: [...all].sort((a, b) => Math.abs(b.truth - b.guess) - Math.abs(a.truth - a.guess)).map((d) => [d.id, d.truth, d.guess, d.low, d.high]) }),
    });
}

function confusion(e: Evaluation, r: Response): HTMLElement | null {
    const counts = e.confusion;
    if (counts === null) return null;
    const used = r.classes.map((_, c) => c).filter((c) => counts[c].some((n) => n > 0) || counts.some((row) => row[c] > 0));
    const total = (row: number[]) => row.reduce((a, b) => a + b, 0);
    const most = Math.max(...used.map((c) => total(counts[c])), 1);
    const wrong = used.flatMap((t) => used.filter((p) => p !== t).map((p) => ({ t, p, n: counts[t][p] }))).reduce((a, b) => (b.n > a.n ? b : a), { t: 0, p: 0, n: 0 });
    const caption = newId();
    const cell = (t: number, p: number) => {
        const n = counts[t][p];
        if (n === 0) return h("td", { class: "number muted" }, "·");
        const label = `${plural(n, "document")} of ${short(r.classes[t])}, predicted ${short(r.classes[p])}`;
        return h("td", { class: "number", style: `background: color-mix(in oklab, var(${t === p ? "--positive" : "--negative"}) ${Math.round((55 * n) / most)}%, var(--surface))` },
            h("button", { type: "button", class: "cell", "aria-label": label, title: label, click: () => showDocuments({ response: e.response, truth: t, guess: p }) }, String(n)));
    };
    return h(
        "section",
        {},
        h("h3", { id: caption }, wrong.n > 0 ? `The most common mistake: ${plural(wrong.n, "document")} of ` : "No mistakes", wrong.n > 0 && [name(r.classes[wrong.t]), " taken for ", name(r.classes[wrong.p])]),
        h("p", { class: "how" }, "Rows are true classes, columns predicted ones; right predictions stand on the diagonal. Press a number to see its documents."),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-labelledby": caption },
            h("table", { class: "confusion" },
                h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true"), used.map((c) => h("th", { scope: "col", class: "upright" }, h("span", {}, name(r.classes[c], 22)))))),
                h("tbody", {}, used.map((t) => h("tr", {}, h("th", { scope: "row" }, name(r.classes[t], 26)), used.map((p) => cell(t, p)))))),
        ),
    );
}

const MOST_MISTAKES = 20;

/** Of too many classes for a table of confusion, the pairs that are taken for each other most. */
function mistakes(e: Evaluation, r: Response): HTMLElement | null {
    if (e.confusion !== null || r.task !== "multiclass") return null;
    const { docs, n } = data.documents!;
    const pairs = new Map<number, number>();
    for (const d of docs) {
        const [truth, guess] = d.predictions[e.response];
        if (truth === null || truth.length !== 1 || guess.length !== 1 || truth[0] === guess[0]) continue;
        const pair = truth[0] * r.classes.length + guess[0];
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    const rows = [...pairs].map(([pair, count]) => ({ t: Math.floor(pair / r.classes.length), p: pair % r.classes.length, count })).sort((a, b) => b.count - a.count || a.t - b.t || a.p - b.p);
    if (rows.length === 0) return null;
    const button = ({ t, p, count: of }: { t: number; p: number; count: number }) =>
        h("button", { type: "button", class: "link", "aria-label": `${plural(of, "document")} of ${short(r.classes[t])}, predicted ${short(r.classes[p])}`, click: () => showDocuments({ response: e.response, truth: t, guess: p }) }, String(of));
    return h(
        "section",
        {},
        h("h3", {}, `The most common mistake: ${plural(rows[0].count, "document")} of `, name(r.classes[rows[0].t]), " taken for ", name(r.classes[rows[0].p])),
        h("p", { class: "how" }, `The ${plural(Math.min(MOST_MISTAKES, rows.length), "pair")} that are confused most, of ${plural(rows.length, "pair")}${docs.length < n ? `, among the ${count(docs.length)} documents that the page lists` : ""}. Press a number to see its documents.`),
        table({ columns: ["true", "predicted", "documents"], rows: rows.slice(0, MOST_MISTAKES).map((row) => [r.classes[row.t], r.classes[row.p], button(row)]) }, "The most common mistakes"),
    );
}

function classes(e: Evaluation, r: Response): HTMLElement | null {
    const rows = e.classes.filter((c) => c.n > 0).sort((a, b) => b.n - a.n);
    if (rows.length === 0) return null;
    return h("section", {}, h("h3", {}, "Classes"),
        h("p", { class: "how" }, "Precision: of those predicted, how many are right. Recall: of those that have the class, how many are found. F1: both."),
        table({ columns: ["class", "documents", "precision", "recall", "F1"], rows: rows.map((c) => [c.name, c.n, c.precision, c.recall, c.f1]) }, `Classes of ${clean(r.field)}`));
}

// ---- the section ----

export function response(): HTMLElement[] {
    const effects = h("div", { class: "stack" });
    const wholes = h("div", { class: "stack" });
    const controls = h("div", { class: "controls" });
    const drawEffects = () => {
        const r = card.responses[state.response], l = state.output;
        const what = meaning(r, l);
        const axis = r.task === "regression" && r.scale === "" ? `effect on ${short(r.field, 30)}` : "effect on the score";
        clear(
            effects,
            doubts("effects"),
            haveIntervals && remarks("effects"),
            forest("Topics", rowsOf(l, "topic"), what, axis),
            forest("Covariates", rowsOf(l, "covariate"), what, axis),
            forest("Words", rowsOf(l, "word"), what, axis),
            blocks(),
        );
    };
    const drawWhole = () => {
        const r = card.responses[state.response];
        const e = evaluations.find((one) => one.response === state.response);
        clear(wholes, heat(r), e !== undefined && [confusion(e, r), mistakes(e, r), h("div", { class: "grid" }, reliability(e), roc(e, r), residuals(e, r)), classes(e, r)],
            e === undefined && h("p", { class: "note" }, "Name documents with true values when you make the report, and this section shows calibration, confusion and residuals too."));
    };
    const drawControls = () => {
        const r = card.responses[state.response];
        const here = Array.from({ length: r.outputs }, (_, i) => r.first + i);
        clear(
            controls,
            card.responses.length > 1 && choice("Field", card.responses.map((one, i): [string, string] => [String(i), one.field]), String(state.response), (v) => {
                state.response = Number(v);
                state.output = card.responses[state.response].first;
                drawControls();
                drawEffects();
                drawWhole();
            }),
            here.length > 1 && choice("Class", here.map((l): [string, string] => [String(l), outputs[l]]), String(state.output), (v) => {
                state.output = Number(v);
                drawEffects();
            }),
        );
    };
    state.output = card.responses[state.response].first;
    drawControls();
    drawEffects();
    drawWhole();
    return [
        h("p", { class: "how" }, "An effect is what a document that is about nothing but this topic scores above the average document; of a covariate, what one unit or level more adds."),
        controls,
        effects,
        wholes,
    ];
}
