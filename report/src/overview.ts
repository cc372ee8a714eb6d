// What the model is, and whether it may be trusted.
import * as Plot from "@observablehq/plot";
import { data } from "./data";
import { choice, clean, clear, count, h, isolated, name, number, percent, plural, sentence, short, table, type Cell } from "./dom";
import { figure, look } from "./figure";
import { card, evaluations, nChains, rowsOf, traces, verdict, type Evaluation, type Judgement, type Response, type Row } from "./tables";
import { sets, topicName } from "./topicset";

const sweeps = Math.max(0, ...traces.map((t) => t.sweeps));

function tile(value: string, label: string): HTMLElement {
    return h("div", { class: "tile" }, h("strong", {}, value), h("span", {}, label));
}

/** The section with the evidence for a sentence. */
const EVIDENCE: Record<string, string> = { predictions: "chains", topics: "topics", effects: "response", scales: "chains", "log joint": "chains" };

const hasEvidence = (j: Judgement) => j.about in EVIDENCE && (data.made.sections?.includes(EVIDENCE[j.about]) ?? true);

function judged(title: string, which: Judgement[]): HTMLElement | null {
    if (which.length === 0) return null;
    return h(
        "section",
        {},
        h("h4", {}, title),
        h("ul", {}, which.map((j) => h("li", {}, sentence(j.text), ". ", hasEvidence(j) && h("a", { href: `#${EVIDENCE[j.about]}`, "aria-label": `Evidence on ${j.about}` }, "Evidence")))),
    );
}

/** The conclusion, what holds, what does not, what to do. */
function conclusion(): HTMLElement {
    const [first, ...rest] = verdict;
    const fine = first.holds !== false;
    const next = rest.find((j) => j.about === "next");
    const of = (holds: boolean | null) => rest.filter((j) => j !== next && j.holds === holds);
    return h(
        "div",
        { class: fine ? "verdict good" : "verdict warn", role: "note" },
        h("span", { class: "sign", "aria-hidden": "true" }, fine ? "✓" : "!"),
        h("div", {}, h("strong", {}, sentence(`${first.text.slice(0, 1).toUpperCase()}${first.text.slice(1)}.`)),
            judged("What holds", of(true)), judged("What does not", of(false)), judged("What is not known, or decides nothing", of(null)),
            next !== undefined && h("p", {}, sentence(`What to do ${next.text}.`))),
    );
}

const TASKS: Record<string, string> = {
    binary: "one of two classes",
    multiclass: "one of several classes",
    multilabel: "any number of classes",
    regression: "a number",
    ordinal: "classes in an order",
};

function responses(): HTMLElement | null {
    if (card.responses.length === 0)
        return h("p", {}, "The model predicts nothing: its topics explain words alone.");
    return table(
        {
            columns: ["predicts", "which is", "response", "classes", "probabilities"],
            rows: card.responses.map((r: Response): Cell[] => [
                r.field,
                TASKS[r.task] ?? r.task,
                r.response,
                r.classes.length > 0 ? r.classes.length : null,
                r.classes.length > 0 ? r.probabilities : "–",
            ]),
        },
        "What the model predicts",
    );
}

const MAIN_SCORES = ["accuracy", "micro_f1", "r2"]; // large is good

const COUNTS: Record<string, string> = {
    n: "compared",
    n_unlabelled: "without a true value",
    n_unknown: "with a class that the model does not have",
};

/** Which of the two models predicts better, by the scores that both have. */
function beside(e: Evaluation): string {
    const score = MAIN_SCORES.map((n) => e.scores.find((s) => s.name === n)).find((s) => s !== undefined && s.value !== null && s.linear !== null);
    if (score === undefined) return "";
    const difference = score.value! - score.linear!;
    return difference === 0
        ? `A linear model on the same words has the same ${score.name}, ${number(score.linear)}.`
        : `${difference > 0 ? "This model" : "A linear model on the same words"} has the better ${score.name}: ${number(Math.max(score.value!, score.linear!))} against ${number(Math.min(score.value!, score.linear!))}.`;
}

function scores(): HTMLElement | null {
    const documents = data.documents;
    if (documents === null || evaluations.length === 0) return null;
    return h(
        "section",
        {},
        h("h3", {}, "Scores"),
        h("p", { class: "how" }, `How well the model predicts the ${plural(documents.n, "document")} of `, name(documents.file), ". Scores mean something for documents that the model has not seen."),
        evaluations.map((e) => {
            const counts = e.scores.filter((s) => s.name in COUNTS && (s.value ?? 0) > 0).map((s) => `${plural(s.value!, "document")} ${COUNTS[s.name]}`);
            const shown = e.scores.filter((s) => !(s.name in COUNTS));
            const hasLinear = e.scores.some((s) => s.linear !== null && !s.isCount);
            const shownTable = table(
                {
                    columns: ["score", "this model", ...(hasLinear ? ["linear model on words"] : []), "meaning"],
                    rows: shown.map((s): Cell[] => [s.name, s.value, ...(hasLinear ? [s.linear] : []), s.meaning]),
                },
                `Scores of ${clean(e.field)}: ${counts.join(", ")}`,
            );
            const finding = beside(e);
            return h("div", {}, finding !== "" && h("p", {}, h("strong", {}, finding)), shownTable);
        }),
    );
}

// ---- for whom ----

/** Scores of the values of a field, of one score at a time. */
function subgroups(): HTMLElement | null {
    const rows = rowsOf("subgroups"), fields = [...new Set(rows.map((r) => JSON.stringify([r.field, r.by, r.score])))];
    if (fields.length === 0) return null;
    const place = h("div", {});
    const draw = (key: string) => clear(place, subgroup(rows.filter((r) => JSON.stringify([r.field, r.by, r.score]) === key)));
    draw(fields[0]);
    return h("section", { class: "plain" }, h("h3", {}, "For whom predictions are good"),
        h("div", { class: "controls" }, choice("Score", fields.map((key): [string, string] => {
            const [field, by, score] = JSON.parse(key) as string[];
            return [key, `${score} of ${short(field, 24)} by ${short(by, 24)}`];
        }), fields[0], draw)),
        place);
}

const MOST_SUBGROUPS = 30;

function subgroup(rows: Row[]): HTMLElement {
    const { field, by, score, all } = rows[0], judged = rows.filter((r) => r.verdict !== "");
    const shown = [...rows].filter((r) => r.value !== null).sort((a, b) => (b.n as number) - (a.n as number)).slice(0, MOST_SUBGROUPS).sort((a, b) => (b.value as number) - (a.value as number));
    const low = (r: Row) => (r.q05 ?? r.value) as number, high = (r: Row) => (r.q95 ?? r.value) as number;
    const names = (verdict: string) => judged.filter((r) => r.verdict === verdict).map((r) => short(r.subgroup as string, 24)).slice(0, 4).join(", ");
    return figure({
        finding: judged.length === 0 ? `No value of ${short(by as string)} differs in ${score} by more than chance.` : `${short(field as string)}: ${["worse", "better"].filter((v) => names(v) !== "").map((v) => `${v} for ${names(v)}`).join(", ")} than for other documents, by ${score}.`,
        how: `${clean(score as string)} of the documents of each value, with 90 % intervals; the line is that of all documents. Filled where the difference is more than chance.${rows.length > shown.length ? ` The ${shown.length} values with most documents are drawn.` : ""}`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 21 * shown.length + 60,
                marginBottom: 42,
                marginLeft: Math.min(220, width * 0.38),
                x: { label: clean(score as string), grid: true, ticks: width < 480 ? 3 : 6 },
                y: { label: null, domain: shown.map((_, i) => i), tickFormat: (i: number) => isolated(`${shown[i].subgroup as string} (${count(shown[i].n as number)})`, Math.min(32, width / 14)), tickSize: 0 },
                marks: [
                    Plot.ruleX([all as number], { stroke: "var(--muted)" }),
                    Plot.ruleY(shown, { y: (_: Row, i: number) => i, x1: low, x2: high, stroke: "var(--accent)", strokeWidth: 2 }),
                    Plot.dot(shown, { y: (_: Row, i: number) => i, x: "value", r: 4.5, stroke: "var(--accent)", strokeWidth: 2, fill: (r: Row) => (r.verdict === "" ? "var(--surface)" : "var(--accent)") }),
                ],
            }),
        table: () => ({ columns: [clean(by as string), "documents", clean(score as string), "se", "5 %", "95 %", "all", "verdict"], rows: rows.map((r): Cell[] => [clean(r.subgroup as string), r.n as number, r.value as number, r.se as number, r.q05 as number, r.q95 as number, r.all as number, r.verdict as string]) }),
    });
}

function show(values: string[] | undefined): string {
    return (values ?? []).filter((v) => v !== "").join(", ") || "–";
}

/** The training as a command; words are quoted for a shell where they must be. */
function command(): HTMLElement {
    const quote = (text: string) => (/^[\w./:,=+-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);
    const options = card.changed.filter(([k]) => k !== "seed").flatMap(([k, v]) => v.map((value) => (value === "yes" ? ` --${k}` : value === "no" ? ` --no-${k}` : ` --${k} ${quote(value)}`)));
    const parts = ["gibbous train DOCUMENTS", ...options, ` --seed ${card.seed}`, ` -m ${quote(data.made.file)}`];
    return h("div", {}, h("h4", {}, "To make it again"), h("p", { class: "command" }, parts.map((p) => [h("code", {}, clean(p.slice(0, 300))), " "])));
}

function settings(): HTMLElement {
    const rows = [...card.settings].map(([k, v]): Cell[] => [k, show(v).slice(0, 500)]);
    return h("details", { class: "data" }, h("summary", {}, `All ${rows.length} settings`), table({ columns: ["setting", "value"], rows }, "Settings of the training"));
}

function sizes(): HTMLElement | null {
    if (sets.length !== 1) return null;
    const topics = sets[0].topics
        .map((t) => ({ k: t.number, share: t.share ?? 0, name: topicName(t.number) }))
        .sort((a, b) => b.share - a.share);
    const shown = topics.slice(0, 25);
    const covered = shown.reduce((sum, t) => sum + t.share, 0);
    const largest = topics[0];
    return figure({
        finding: `The largest topic, ${short(largest.name)}, has ${percent(largest.share)} of all tokens${topics.length > shown.length ? `; the largest ${shown.length} of ${topics.length} have ${percent(covered)}` : ""}.`,
        how: "Each bar is the share of the training tokens that a topic has.",
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 24 * shown.length + 62,
                marginBottom: 40,
                marginLeft: Math.min(260, width * 0.45),
                marginRight: 50,
                x: { label: "share of tokens (%)", percent: true, grid: true, ticks: 5 },
                y: { label: null, domain: shown.map((t) => t.k), tickFormat: (k: number) => isolated(topicName(k), Math.min(34, width / 16)), tickSize: 0 },
                marks: [
                    Plot.barX(shown, { x: "share", y: "k", fill: "var(--accent)", insetTop: 3, insetBottom: 3, rx: 2 }),
                    Plot.text(shown, { x: "share", y: "k", text: (t) => percent(t.share), dx: 4, textAnchor: "start", fill: "var(--muted)" }),
                    Plot.ruleX([0], { stroke: "var(--line)" }),
                ],
            }),
        table: () => ({ columns: ["topic", "share of tokens"], rows: topics.map((t) => [t.name, t.share]) }),
    });
}


export function overview(): HTMLElement[] {
    return [
        conclusion(),
        h("div", { class: "tiles" },
            tile(count(sets[0].topics.length), `${card.oneVsRest ? "topics for each class" : "topics"}${nChains > 1 ? `, of chain ${card.topicsOfChain}` : ""}`),
            tile(count(card.documents), "training documents"),
            tile(count(card.tokens), "tokens"),
            tile(count(card.words), "different words"),
            tile(count(card.draws), `posterior draws of ${plural(nChains, "chain")}`),
        ),
        h("section", {}, h("h3", {}, "Model card"),
            h("p", { class: "how" }, "What was fitted to which data. The same data, settings, seed and version give the same model, bit for bit."),
            h("dl", { class: "card" },
                h("dt", {}, "Model file"), h("dd", {}, name(data.made.file, 80)),
                h("dt", {}, "Made by"), h("dd", {}, `gibbous ${data.made.version}`),
                h("dt", {}, "Seed"), h("dd", {}, card.seed),
                h("dt", {}, "Document prior"), h("dd", {}, clean(show(card.settings.get("prior")))),
                h("dt", {}, "Sweeps"), h("dd", {}, sweeps > 0 ? count(sweeps) : "not known"),
            ),
            responses(),
            command(),
            settings(),
        ),
        scores(),
        subgroups(),
        sizes(),
    ].filter((e): e is HTMLElement => e !== null);
}
