// Documents: their predictions, their topics, and their words in the colours of topics.
import * as Plot from "@observablehq/plot";
import { data, type Doc, type Prediction, type Why } from "./data";
import { choice, clean, clear, count, h, isolated, name, number, percent, plural, short, signed } from "./dom";
import { figure, look } from "./figure";
import { card, outputs } from "./tables";
import { topicLabel, topicName, topicOf, topicsOf } from "./topicset";

interface Wanted {
    response: number;
    truth: number | null;
    guess: number | null;
}

const PAGE = 25, MARKS = 6;
const state = { response: 0, truth: "", guess: "", order: "mistakes", text: "", topic: "", shown: PAGE, chosen: null as Doc | null };
let redraw = () => {};

/** From another section: documents of a cell of the confusion table. */
export function showDocuments(wanted: Wanted): void {
    Object.assign(state, { response: wanted.response, truth: String(wanted.truth ?? ""), guess: String(wanted.guess ?? ""), order: "sure", text: "", topic: "", shown: PAGE, chosen: null });
    location.hash = "#documents";
    redraw();
    setTimeout(() => document.getElementById("section-documents")?.focus(), 50);
}

function responseOf() {
    return card.responses[state.response] as (typeof card.responses)[number] | undefined;
}

function isNumber(): boolean {
    return responseOf()?.task === "regression";
}

function isWrong(p: Prediction): boolean {
    if (p[0] === null) return false;
    if (isNumber()) return p[5] !== null && (p[0][0] < p[5] || p[0][0] > p[6]!);
    return p[0].length !== p[1].length || p[0].some((c) => !p[1].includes(c));
}

/** How sure the model is, or for numbers how far it is off, in widths of its interval. */
function size(p: Prediction): number {
    if (isNumber()) return p[0] === null ? 0 : Math.abs(p[0][0] - p[1][0]) / Math.max((p[6] ?? 0) - (p[5] ?? 0), 1e-9);
    return p[2] ?? Math.abs(p[4] ?? 0);
}

const lower = new Map<Doc, string>();

function says(d: Doc, wanted: string): boolean {
    if (d.text === undefined) return false;
    if (!lower.has(d)) lower.set(d, d.text.filter((t) => typeof t === "string").join(" ").toLowerCase());
    return lower.get(d)!.includes(wanted);
}

function matches(d: Doc, wanted: string | null): boolean {
    const p = d.predictions[state.response] as Prediction | undefined;
    if (p !== undefined && state.truth !== "" && !(p[0] ?? []).includes(Number(state.truth))) return false;
    if (p !== undefined && state.guess !== "" && !p[1].includes(Number(state.guess))) return false;
    if (state.topic !== "" && !d.topics.some(([k, share]) => k === Number(state.topic) && share >= 0.1)) return false;
    return wanted === null || d.id.toLowerCase().includes(wanted) || says(d, wanted);
}

function sorted(docs: Doc[]): Doc[] {
    const p = (d: Doc) => d.predictions[state.response];
    const unlike = (d: Doc) => d.unknown / Math.max(1, d.n + d.unknown);
    if (state.order === "mistakes") return [...docs].sort((a, b) => Number(isWrong(p(b))) - Number(isWrong(p(a))) || size(p(b)) - size(p(a)));
    if (state.order === "sure") return [...docs].sort((a, b) => size(p(b)) - size(p(a)));
    if (state.order === "unsure") return [...docs].sort((a, b) => size(p(a)) - size(p(b)));
    if (state.order === "unlike") return [...docs].sort((a, b) => unlike(b) - unlike(a));
    return docs;
}

// ---- texts of predictions ----

function classes(list: number[]): HTMLElement {
    const names = responseOf()?.classes ?? [];
    return h("span", {}, list.length === 0 ? "none" : list.slice(0, 6).map((c, i) => [i > 0 && ", ", c < 0 ? "another class" : name(names[c] ?? "", 30)]), list.length > 6 && " …");
}

function predictionText(p: Prediction): HTMLElement {
    if (isNumber()) return h("span", {}, number(p[1][0]), h("span", { class: "muted" }, ` (${number(p[5])} to ${number(p[6])})`));
    return h("span", {}, classes(p[1]), p[2] !== null && h("span", { class: "muted" }, ` ${percent(p[2])}`));
}

function truthText(p: Prediction): HTMLElement | string {
    if (p[0] === null) return "–";
    return isNumber() ? number(p[0][0]) : classes(p[0]);
}

// ---- one document ----

/** Shares as one bar, in the marks of its words. */
function shares(d: Doc, marks: Map<number, number>): HTMLElement {
    return h("ol", { class: "shares" }, d.topics.map(([k, share]) =>
        h("li", {}, h("span", { class: `mark m${marks.get(k) ?? 0}` }, topicOf(0, k).title), " ", h("bdi", {}, short(topicLabel(k), 34)), h("span", { class: "share-bar", style: `width:${(100 * share).toFixed(1)}%`, "aria-hidden": "true" }), h("span", { class: "number muted" }, percent(share)))));
}

interface Part {
    label: string;
    value: number;
}

const KINDS: Record<string, string> = {
    "left-out-topics": "topics that are left out",
    "other-topics": "topics of other chains only",
    embedding: "embedding",
    words: "coefficients of its words",
    "absent-words": "coefficients of words that it lacks",
    "smaller-parts": "all smaller parts",
};

/** The parts of a score but the average, those that are not 0. */
function partsOf(w: Why, set: number): Part[] {
    return w.parts.slice(1).filter(([, , value]) => Math.abs(value) > 1e-9)
        .map(([kind, feature, value]) => ({ label: kind === "topic" ? topicName(parseInt(feature) - 1, set) : (KINDS[kind] ?? feature), value }));
}

/** Why the document has the score behind its prediction. */
function why(d: Doc): HTMLElement | null {
    const w = d.why?.[state.response], r = responseOf();
    if (w === undefined || r === undefined) return null;
    const parts = partsOf(w, card.oneVsRest ? Math.max(0, outputs.indexOf(w.class)) : 0);
    if (parts.length === 0) return null;
    const start = w.parts[0][2], end = w.score, words = w.words;
    const what = w.class !== "" ? `Score ${signed(end)} of ${short(w.class)}` : isNumber() && r.scale === "" ? `Predicted ${number(end)}` : `Score ${signed(end)}`;
    return h("div", {},
        h("h4", {}, "Why"),
        figure({
            finding: `${what}: the average document's ${isNumber() ? number(start) : signed(start)}, and most of the rest by ${short(parts[0].label)} (${signed(parts[0].value)}).`,
            how: "Parts add up to the score.",
            draw: (width) =>
                Plot.plot({
                    style: look,
                    width,
                    height: 22 * parts.length + 58,
                    marginBottom: 36,
                    marginLeft: Math.min(190, width * 0.45),
                    marginRight: 44,
                    x: { label: "part of the score", grid: true, zero: true, ticks: 4 },
                    y: { label: null, domain: parts.map((_, i) => i), tickFormat: (i: number) => isolated(parts[i].label, Math.min(26, width / 16)), tickSize: 0 },
                    color: { type: "identity" },
                    marks: [
                        Plot.barX(parts, { x: "value", y: (_, i) => i, fill: (p: Part) => (p.value < 0 ? "var(--negative)" : "var(--positive)"), insetTop: 3, insetBottom: 3 }),
                        Plot.text(parts, { x: (p: Part) => Math.max(p.value, 0), y: (_, i) => i, text: (p: Part) => signed(p.value, 2), dx: 4, textAnchor: "start", fill: "var(--text)" }),
                        Plot.ruleX([0], { stroke: "var(--muted)" }),
                    ],
                }),
            table: () => ({ columns: ["part", "value"], rows: [["average document", start], ...parts.map((p): [string, number] => [p.label, p.value]), ["score", end]] }),
        }),
        words.length > 0 && h("p", {}, "Words that count most, by their topics and by themselves: ", words.map(([word, v], i) => [i > 0 && ", ", name(word, 30), h("span", { class: v < 0 ? "against" : "for" }, " " + signed(v, 2))]), "."));
}

function text(d: Doc, marks: Map<number, number>): HTMLElement {
    if (d.text === undefined) return h("p", { class: "note" }, "The page has no room for the text of this document.");
    const parts: (HTMLElement | string)[] = [];
    for (let i = 0; i < d.text.length; i += 2) {
        const shown = clean(d.text[i] as string), topic = d.text[i + 1] as number, m = marks.get(topic);
        parts.push(m === undefined ? h("bdi", {}, shown) : h("bdi", { class: `mark m${m}`, title: clean(topicName(topic)) }, shown), " ");
    }
    return h("div", {},
        h("p", { class: "words" }, parts),
        h("p", { class: "note" }, "Words that the model knows are marked with their most probable topic. Of documents without a text, only these words are here."));
}

function about(d: Doc): HTMLElement {
    const marks = new Map(d.topics.slice(0, MARKS).map(([k], i) => [k, i + 1]));
    const rows = card.responses.map((r, i) => {
        const before = state.response;
        state.response = i;
        const p = d.predictions[i];
        const row = [h("dt", {}, name(r.field, 40)), h("dd", {}, "predicted ", predictionText(p), p[0] !== null && [" · true ", truthText(p), p[3] !== null && isWrong(p) && h("span", { class: "muted" }, ` (given ${percent(p[3])})`), isWrong(p) ? h("strong", { class: "wrong" }, isNumber() ? " ✗ outside the interval" : " ✗ wrong") : h("strong", { class: "right" }, " ✓")])];
        state.response = before;
        return row;
    });
    return h("div", { class: "panel document" },
        h("h3", {}, name(d.id, 80)),
        h("p", { class: "muted" }, `${plural(d.n, "word")} that the model knows, ${count(d.unknown)} that it does not`),
        rows.length > 0 && h("dl", { class: "card" }, rows),
        h("div", {}, why(d), h("div", {}, h("h4", {}, "Topics"), shares(d, marks)), h("div", {}, h("h4", {}, "Text"), text(d, marks))));
}

// ---- the list ----

function row(d: Doc, choose: (d: Doc, button: Element) => void): HTMLElement {
    const p = d.predictions[state.response] as Prediction | undefined;
    return h("tr", { class: d === state.chosen ? "chosen" : null },
        h("td", {}, h("button", { type: "button", class: "link", "aria-pressed": String(d === state.chosen), click: (e) => choose(d, e.currentTarget as Element) }, name(d.id, 40))),
        p !== undefined && [h("td", {}, predictionText(p)), h("td", {}, truthText(p)), h("td", {}, p[0] === null ? "" : isWrong(p) ? h("span", { class: "wrong" }, "✗", h("span", { class: "hidden" }, " wrong")) : h("span", { class: "right" }, "✓", h("span", { class: "hidden" }, " right")))],
        state.order === "unlike" && h("td", { class: "number" }, percent(d.unknown / Math.max(1, d.n + d.unknown))));
}

export function documents(): HTMLElement[] {
    const all = data.documents!.docs;
    const hasTruth = all.some((d) => d.predictions.some((p) => p[0] !== null));
    const controls = h("div", { class: "controls" }), list = h("div", { class: "panel" }), detail = h("div", { class: "detail" });
    const choose = (d: Doc, button: Element) => {
        state.chosen = d;
        clear(detail, about(d));
        for (const b of list.querySelectorAll("tbody button")) {
            b.setAttribute("aria-pressed", String(b === button));
            b.closest("tr")!.classList.toggle("chosen", b === button);
        }
    };
    const drawList = () => {
        const wanted = state.text === "" ? null : state.text.toLowerCase();
        const found = sorted(all.filter((d) => matches(d, wanted)));
        if (state.chosen === null || !found.includes(state.chosen)) {
            state.chosen = found[0] ?? null;
            clear(detail, state.chosen !== null && about(state.chosen));
        }
        const wrong = found.filter((d) => d.predictions[state.response] !== undefined && isWrong(d.predictions[state.response])).length;
        clear(list,
            h("p", {}, h("strong", {}, plural(found.length, "document")), hasTruth && responseOf() !== undefined && (isNumber() ? `, ${count(wrong)} of them outside their 90 % interval` : `, ${count(wrong)} of them predicted wrong`)),
            h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Documents" },
                h("table", {},
                    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "document"), responseOf() !== undefined && [h("th", { scope: "col" }, "predicted"), h("th", { scope: "col" }, "true"), h("th", { scope: "col", class: "flag" }, h("span", { class: "hidden" }, "right or wrong"))], state.order === "unlike" && h("th", { scope: "col", class: "number share" }, "unknown words"))),
                    h("tbody", {}, found.slice(0, state.shown).map((d) => row(d, choose))))),
            found.length > state.shown && h("button", { type: "button", click: () => { state.shown += 100; drawList(); } }, `Show more of ${count(found.length)}`));
    };
    const change = (key: "truth" | "guess" | "order" | "topic") => (value: string) => {
        state[key] = value;
        state.shown = PAGE;
        state.chosen = null;
        drawList();
    };
    const drawControls = () => {
        const r = responseOf();
        const named = (r?.classes ?? []).map((c, i): [string, string] => [String(i), c]);
        const search = h("input", { type: "search", placeholder: "an id or a word", value: state.text });
        search.addEventListener("input", () => {
            state.text = search.value;
            state.shown = PAGE;
            drawList();
        });
        clear(controls,
            card.responses.length > 1 && choice("Field", card.responses.map((one, i): [string, string] => [String(i), one.field]), String(state.response), (v) => {
                Object.assign(state, { response: Number(v), truth: "", guess: "", chosen: null });
                drawControls();
                drawList();
            }),
            choice("Order", [...(hasTruth ? [["mistakes", isNumber() ? "largest errors first" : "surest mistakes first"] as [string, string]] : []), ...(r !== undefined && !isNumber() ? [["sure", "surest first"], ["unsure", "least sure first"]] as [string, string][] : []), ["unlike", "most unknown words first"], ["given", "as given"]], state.order, change("order")),
            hasTruth && named.length > 0 && choice("True", [["", "any"], ...named], state.truth, change("truth")),
            named.length > 0 && choice("Predicted", [["", "any"], ...named], state.guess, change("guess")),
            choice("Topic", [["", "any"], ...topicsOf(0).map((k): [string, string] => [String(k), topicName(k)])], state.topic, change("topic")),
            h("label", { class: "field" }, h("span", {}, "Search"), search));
    };
    if (!hasTruth && state.order === "mistakes") state.order = responseOf() !== undefined && !isNumber() ? "sure" : "given";
    redraw = () => {
        drawControls();
        drawList();
    };
    redraw();
    return [
        h("p", { class: "how" }, "Read what the model says of documents. Its surest mistakes tell most: wrong labels, missing words, or topics that mix what should be apart. Many unknown words mean a document unlike the training.",
            data.documents!.n > all.length && ` The list has the first ${count(all.length)} of ${count(data.documents!.n)} documents.`),
        controls,
        h("div", { class: "documents" }, list, detail),
    ];
}
