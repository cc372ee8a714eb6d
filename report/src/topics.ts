// The topics: their words, sizes, places, names, and how far they may be trusted.
import * as Plot from "@observablehq/plot";
import { data } from "./data";
import { choice, clean, clear, h, isolated, name, newId, number, percent, plural, short, signed, table } from "./dom";
import { save } from "./files";
import { diverging, figure, look } from "./figure";
import { affinityOf, places } from "./layout";
import { card, effectsOf, haveIntervals, nChains, outputs, remarksOn, rowsOf, trusts, type TopicTrust } from "./tables";
import { byFrex, byRelevance, givenName, namesAsText, onRename, placeOf, rename, sets, shareOf, topicName, topicOf, topicsOf, topWords } from "./topicset";

type Order = "number" | "size" | "trust";

const state = { set: 0, topic: 0, order: "size" as Order, words: "relevance", weight: 0.6, filter: "" };

/** Chains agree on single topics. */
export function trustOf(set: number, topic: number): TopicTrust | undefined {
    if (topicOf(set, topic).title.includes("+")) return undefined;
    const output = card.oneVsRest ? set : 0;
    return trusts.find((t) => t.topic === topic && (t.output === output || !card.oneVsRest));
}

/** A sentence on whether the topic may be relied on. */
function trustText(set: number, topic: number): string {
    const trust = trustOf(set, topic);
    if (topicOf(set, topic).empty) return "This topic is empty: it has no or nearly no tokens, so its words and effects are those of the prior.";
    if (trust === undefined) return "";
    const parts: string[] = [];
    if (nChains < 2) parts.push("There is one chain only, so nothing says whether another would find this topic again.");
    else if (trust.chains === nChains) parts.push(`${nChains === 2 ? "Both" : `All ${nChains}`} chains found this topic.`);
    else parts.push(`${trust.chains} of ${nChains} chains found this topic${trust.chains === 1 ? ": it may be an accident of this chain" : ""}.`);
    if (trust.r_hat !== null && outputs.length > 0)
        parts.push(`Its coefficient${outputs.length > 1 ? ", where chains agree least," : ""} has R-hat ${number(trust.r_hat)} and is worth ${number(trust.bulk, 2)} independent draws.`);
    return parts.join(" ");
}

// ---- the list ----

function order(): number[] {
    const all = topicsOf(state.set);
    if (state.order === "size") all.sort((a, b) => (shareOf(state.set, b) ?? 0) - (shareOf(state.set, a) ?? 0));
    if (state.order === "trust") all.sort((a, b) => (trustOf(state.set, b)?.chains ?? 0) - (trustOf(state.set, a)?.chains ?? 0) || a - b);
    const wanted = state.filter.toLowerCase();
    return wanted === "" ? all : all.filter((k) => topicName(k, state.set, 10).toLowerCase().includes(wanted));
}

function item(k: number, largest: number, select: (k: number) => void): HTMLElement {
    const share = shareOf(state.set, k);
    const trust = trustOf(state.set, k);
    const given = givenName(state.set, k);
    return h(
        "li",
        {},
        h(
            "button",
            { type: "button", "aria-pressed": String(k === state.topic), click: () => select(k) },
            h("span", { class: "topic-number" }, topicOf(state.set, k).title),
            h("span", { class: "topic-words" }, given !== "" && h("strong", {}, name(given, 40), " "), topicOf(state.set, k).empty ? "(empty)" : h("bdi", {}, topicOf(state.set, k).label.split(" ").map((w) => short(w, 24)).join(" "))),
            share !== null && h("span", { class: "topic-share" }, percent(share)),
            trust !== undefined && trust.chains > 0 && nChains > 1 && h("span", { class: "topic-trust", title: `found by ${trust.chains} of ${nChains} chains` }, `${trust.chains}/${nChains}`),
            share !== null && h("span", { class: "bar", style: `width:${Math.max(1, (100 * share) / largest)}%`, "aria-hidden": "true" }),
        ),
    );
}

// ---- one topic ----

function words(): HTMLElement {
    const rows = state.words === "frex" ? byFrex(state.set, state.topic, 20) : byRelevance(state.set, state.topic, state.weight, 25);
    const share = shareOf(state.set, state.topic);
    const how = state.words === "frex"
        ? "FREX asks for words that are both frequent in the topic and rare in others."
        : `Relevance weighs a word's probability in the topic (${percent(state.weight)}) against how much more probable it is there than elsewhere.`;
    return figure({
        finding: topicOf(state.set, state.topic).empty ? `Topic ${topicOf(state.set, state.topic).title} is empty: these words are those of the prior.` : `${share !== null ? "Words" : "Words of this class's topic"} that stand for topic ${topicOf(state.set, state.topic).title}: ${rows.slice(0, 5).map((r) => short(r.word, 20)).join(", ")}.`,
        how: `${how} Bars: probability of the word in the topic; ticks: its share of all tokens.`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 22 * rows.length + 62,
                marginBottom: 40,
                marginLeft: Math.min(170, width * 0.35),
                marginRight: 20,
                x: { label: "probability (%)", percent: true, grid: true, ticks: 5 },
                y: { label: null, domain: rows.map((_, i) => i), tickFormat: (i: number) => isolated(rows[i].word, 22), tickSize: 0 },
                marks: [
                    Plot.barX(rows, { x: "p", y: (_, i) => i, fill: "var(--accent)", insetTop: 3, insetBottom: 3, rx: 2 }),
                    Plot.tickX(rows, { x: "all", y: (_, i) => i, stroke: "var(--text)", strokeWidth: 2, insetTop: 2, insetBottom: 2 }),
                    Plot.ruleX([0], { stroke: "var(--line)" }),
                ],
            }),
        table: () => ({ columns: ["word", "probability in the topic", "share of all tokens", "lift"], rows: rows.map((r) => [r.word, r.p, r.all, r.lift]) }),
    });
}

/** The scores that the topic moves most. */
function effects(): HTMLElement | null {
    const rows = (card.oneVsRest ? [state.set] : outputs.map((_, l) => l))
        .flatMap((l) => effectsOf(l, "topic").filter((e) => e.topic === state.topic).map((e) => ({ name: outputs[l], ...e })))
        .sort((a, b) => Math.abs(b.mean!) - Math.abs(a.mean!))
        .slice(0, 6);
    if (rows.length === 0) return null;
    if (!haveIntervals) return table({ columns: ["score", "mean"], rows: rows.map((r) => [r.name, signed(r.mean)]) }, "What scores use of it, which may be chance: means in the training, against the average document");
    return table({ columns: ["score", "effect", "5 %", "95 %"], rows: rows.map((r) => [r.name, signed(r.mean), signed(r.low), signed(r.high)]) }, "Scores that it moves most, against the average document");
}

function near(select: (k: number) => void): HTMLElement | null {
    const { topics: all, affinity } = sets[state.set], here = placeOf(state.set, state.topic);
    if (all.length < 3 || affinity === null) return null;
    const others = all
        .map((t, i) => ({ k: t.number, a: affinityOf(affinity, here, i) }))
        .filter((t) => t.k !== state.topic)
        .sort((a, b) => b.a - a.a)
        .slice(0, 3);
    return h("p", { class: "near" }, "Nearest by their words: ", others.map((t, i) => [i > 0 && " · ", h("button", { type: "button", class: "link", click: () => select(t.k) }, h("bdi", {}, short(topicName(t.k, state.set), 40)))]));
}

/** The parts of a text in a row that belong most to a topic. */
function passage(text: (string | number)[], topic: number): string {
    const parts = text.filter((t) => typeof t === "string"), LENGTH = 24;
    const belongs = text.filter((t) => typeof t === "number").map((t) => Number(t === topic));
    let first = 0, most = -1;
    for (let i = 0, n = 0; i < parts.length; i++) {
        n += belongs[i] - (i >= LENGTH ? belongs[i - LENGTH] : 0);
        if (n > most) [most, first] = [n, Math.max(0, i + 1 - LENGTH)];
    }
    const shown = short(parts.slice(first, first + LENGTH).join(" "), 240), isCut = first + LENGTH < parts.length;
    return (first > 0 ? "… " : "") + shown + (isCut && !shown.endsWith("…") ? " …" : "");
}

function documents(): HTMLElement | null {
    if (data.documents === null || state.set > 0) return null;
    const rows = data.documents.docs
        .map((d) => ({ d, share: d.topics.find(([k]) => k === state.topic)?.[1] ?? 0 }))
        .filter((r) => r.share > 0.05 && r.d.n >= 10)
        .sort((a, b) => b.share - a.share)
        .slice(0, 8);
    if (rows.length === 0) return null;
    return h("div", {}, h("h4", {}, "Documents with most of it"), h("ul", { class: "plain" }, rows.map((r) => h("li", {}, percent(r.share), " ", name(r.d.id, 60), r.d.text !== undefined && h("span", { class: "muted" }, " ", h("bdi", {}, passage(r.d.text, state.topic)))))));
}

const found = new Map<number, { x: number; y: number }[]>();

/** Places of the topics of the current set; finding them takes a moment when there are hundreds. */
function placesOfSet(affinity: number[]): { x: number; y: number }[] {
    if (!found.has(state.set)) found.set(state.set, places(affinity, sets[state.set].topics.length));
    return found.get(state.set)!;
}

/** Put the ring around the current topic. */
function ring(plot: Element): void {
    plot.querySelectorAll(".topic-dots circle").forEach((circle, i) => circle.classList.toggle("current", i === placeOf(state.set, state.topic)));
}

function map(select: (k: number) => void): HTMLElement {
    const set = sets[state.set];
    if (set.affinity === null) return h("p", { class: "note" }, "A map of topics is left out: there are too many.");
    const points = placesOfSet(set.affinity).map((p, i) => ({ ...p, k: set.topics[i].number, share: set.topics[i].share ?? 1 / set.topics.length }));
    const labelled = [...points].sort((a, b) => b.share - a.share).slice(0, 60);
    return figure({
        finding: `${plural(points.length, "topic")} on a plane: the nearer, the more words in common.`,
        how: "Areas are shares of tokens. Directions mean nothing; distances only roughly, since a plane has no room for all of them. The current topic has a ring.",
        class: "map",
        draw: (width) => {
            const plot = Plot.plot({
                style: look,
                width,
                height: Math.min(520, Math.max(320, width * 0.55)),
                margin: 30,
                axis: null,
                r: { range: [2, Math.min(32, width / 22)], domain: [0, Math.max(...points.map((p) => p.share))] },
                marks: [
                    Plot.dot(points, { x: "x", y: "y", r: "share", fill: "var(--accent)", fillOpacity: 0.28, stroke: "var(--accent)", sort: null, className: "topic-dots" }),
                    Plot.text(labelled, { x: "x", y: "y", text: (p) => topicOf(state.set, p.k).title, fill: "var(--text)", fontSize: 11 }),
                    Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => isolated(topicName(p.k, state.set, 6), 70), fill: "var(--surface)" })),
                ],
            });
            plot.addEventListener("click", () => {
                const value = (plot as unknown as { value: { k: number } | null }).value;
                if (value) select(value.k);
            });
            ring(plot);
            return plot;
        },
        table: () => ({ columns: ["topic", "words", "share of tokens"], rows: points.map((p) => [topicOf(state.set, p.k).title, topWords(state.set, p.k, 10).map(clean).join(" "), shareOf(state.set, p.k)]) }),
    });
}

// ---- which topics go together ----

interface Pair {
    a: number;
    b: number;
    mean: number;
    low: number;
    high: number;
}

const MOST_CORRELATED = 30;

/** Topics beside those that they go with: each is followed by the one that it is correlated with most. */
function inOrder(topics: number[], of: (a: number, b: number) => number): number[] {
    const left = [...topics], order = left.splice(0, 1);
    while (left.length > 0) {
        const last = order[order.length - 1], next = left.reduce((best, k) => (of(last, k) > of(last, best) ? k : best), left[0]);
        order.push(next);
        left.splice(left.indexOf(next), 1);
    }
    return order;
}

/** Correlations of the shares of topics in documents, as a matrix. */
function correlations(): HTMLElement | null {
    const topic = (text: unknown) => parseInt(text as string) - 1;
    const pairs = rowsOf("correlations").map((r): Pair => ({ a: topic(r.topic), b: topic(r.with), mean: r.mean as number, low: r.q05 as number, high: r.q95 as number }));
    if (pairs.length === 0) return null;
    const known = new Map(pairs.flatMap((p): [string, Pair][] => [[`${p.a} ${p.b}`, p], [`${p.b} ${p.a}`, p]]));
    const of = (a: number, b: number) => known.get(`${a} ${b}`)?.mean ?? 0, all = [...new Set(pairs.flatMap((p) => [p.a, p.b]))];
    const size = (k: number) => Math.max(...all.filter((other) => other !== k).map((other) => Math.abs(of(k, other))));
    const order = inOrder([...all].sort((a, b) => size(b) - size(a)).slice(0, MOST_CORRELATED), of);
    const cells = order.flatMap((a) => order.filter((b) => b !== a && known.has(`${a} ${b}`)).map((b): Pair => ({ ...known.get(`${a} ${b}`)!, a, b })));
    const most = Math.max(...cells.map((c) => Math.abs(c.mean)), 1e-300), isClear = (p: Pair) => p.low > 0 || p.high < 0;
    const clear_ = pairs.filter(isClear), top = clear_.reduce<Pair | null>((best, p) => (best === null || p.mean > best.mean ? p : best), null);
    const named = (k: number, n: number) => isolated(topicName(k), n);
    return figure({
        finding: top === null || top.mean <= 0 ? "No two topics clearly go together." : `${short(topicName(top.a), 40)} and ${short(topicName(top.b), 40)} go together most (correlation ${signed(top.mean, 2)}).`,
        how: `Correlations of the log weights of topics in documents: + and − mark those that are clearly above or below 0.${order.length < all.length ? ` The ${order.length} topics with the largest are drawn.` : ""}`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 20 * order.length + 50,
                marginTop: 8,
                marginBottom: 40,
                marginLeft: Math.min(250, width * 0.4),
                padding: 0.06,
                x: { label: null, domain: order, tickFormat: (k: number) => topicOf(0, k).title, tickSize: 0, tickRotate: order.length > 15 ? -90 : 0 },
                y: { label: null, domain: order, tickFormat: (k: number) => named(k, Math.min(32, width / 16)), tickSize: 0 },
                marks: [
                    Plot.cell(cells, { x: "b", y: "a", fill: (p) => diverging(p.mean / most), stroke: "var(--line)", strokeWidth: 0.5 }),
                    Plot.text(cells.filter(isClear), { x: "b", y: "a", text: (p) => (p.mean < 0 ? "−" : "+"), fill: "var(--text)", stroke: "var(--surface)", strokeWidth: 2 }),
                ],
            }),
        table: () => ({ columns: ["topic", "with", "correlation", "5 %", "95 %"], rows: pairs.map((p) => [topicName(p.a), topicName(p.b), p.mean, p.low, p.high]) }),
    });
}

function saveNames(): void {
    save(data.made.file.replace(/[^\w.-]/g, "_").slice(0, 80) + ".names.csv", new Blob([namesAsText(state.set)], { type: "text/csv" }));
}

// ---- the section ----

export function topics(): HTMLElement[] {
    const list = h("ol", { class: "topics", "aria-label": "Topics" });
    const panel = h("div", { class: "panel", "aria-live": "off" });
    const wordsAt = h("div");
    const mapAt = h("div");
    const nameId = newId(), weightId = newId();

    const select = (k: number) => {
        state.topic = k;
        drawPanel();
        for (const b of list.querySelectorAll("button")) b.setAttribute("aria-pressed", String(b.querySelector(".topic-number")!.textContent === topicOf(state.set, k).title));
        ring(mapAt);
    };
    const drawList = () => {
        const largest = Math.max(...sets[state.set].topics.map((t) => t.share ?? 0));
        const shown = order();
        clear(list, shown.map((k) => item(k, largest, select)));
        if (shown.length === 0) clear(list, h("li", { class: "note" }, "No topic has these words."));
    };
    const drawWords = () => clear(wordsAt, words());
    const drawPanel = () => {
        const input = h("input", { id: nameId, type: "text", maxlength: 200, placeholder: "a name of your own", value: givenName(state.set, state.topic), dir: "auto" });
        input.addEventListener("input", () => rename(state.set, state.topic, input.value));
        const slider = h("input", { id: weightId, type: "range", min: 0, max: 1, step: 0.05, value: state.weight, disabled: state.words === "frex" });
        const shown = h("output", { for: weightId }, number(state.weight));
        slider.addEventListener("input", () => {
            state.weight = Number(slider.value);
            shown.textContent = number(state.weight);
            drawWords();
        });
        const share = shareOf(state.set, state.topic);
        clear(
            panel,
            h("h3", {}, `Topic ${topicOf(state.set, state.topic).title}`, share !== null && h("span", { class: "muted" }, ` · ${percent(share)} of tokens`)),
            h("p", {}, trustText(state.set, state.topic)),
            h("div", { class: "controls" },
                h("label", { class: "field", for: nameId }, h("span", {}, "Name"), input),
                choice("Words by", [["relevance", "relevance"], ["frex", "FREX"]], state.words, (v) => {
                    state.words = v;
                    slider.disabled = v === "frex";
                    drawWords();
                }),
                h("label", { class: "field", for: weightId }, h("span", {}, "Weight of probability ", shown), slider),
            ),
            wordsAt,
            near(select),
            effects(),
            documents(),
        );
        drawWords();
    };
    const redraw = () => {
        drawList();
        drawPanel();
        clear(mapAt, map(select));
    };
    let later = 0;
    onRename(() => {
        clearTimeout(later);
        later = window.setTimeout(drawList, 200);
    });
    state.topic = order()[0] ?? 0;
    const filter = h("input", { type: "search", placeholder: "a word or name" });
    filter.addEventListener("input", () => {
        state.filter = filter.value;
        drawList();
    });
    redraw();
    return [
        h("p", { class: "how" }, "A topic is a distribution over words. Choose one in the list; names that you give it are used on the whole page and can be saved as a file.",
            sets.length > 1 && " Each class has topics of its own.",
            ...remarksOn("topics")),
        h("div", { class: "controls" },
            sets.length > 1 && choice("Class", sets.map((s, i): [string, string] => [String(i), s.of]), "0", (v) => {
                state.set = Number(v);
                state.topic = topicsOf(state.set)[0];
                redraw();
            }),
            choice("Order", [["size", "by size"], ["number", "by number"], ["trust", "by chains that found it"]], state.order, (v) => {
                state.order = v as Order;
                drawList();
            }),
            h("label", { class: "field" }, h("span", {}, "Filter"), filter),
            h("button", { type: "button", click: saveNames }, "Save names"),
        ),
        h("div", { class: "split" }, h("nav", { "aria-label": "List of topics", class: "list" }, list), panel),
        mapAt,
        correlations(),
    ].filter((e): e is HTMLElement => e !== null);
}
