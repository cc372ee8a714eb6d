// Answers of the library (gibbous/answer.h): the cells that the command prints and that Python gives.
import { data, type Num } from "./data";
import { clean, count, h, newId, plural, sentence, table as draw, type Cell } from "./dom";
import { csvLine, save } from "./files";

interface Column {
    name: string;
    title: string;
    kind: "text" | "list" | "real" | "count" | "flag" | "reals";
    unit: string;
    help: string;
}

export type Value = string | string[] | boolean | Num | Num[];

export interface Answer {
    columns: Column[];
    cells: (Value[] | { levels: string[]; codes: Num[] })[];
    weights: Num[]; // how much a row says; null: it is always shown
    doubts: string[];
    remarks: string[];
    left_out: number; // rows that the page has no room for
}

export type Row = Record<string, Value> & { weight: Num };

const known = new Map<string, Row[]>();

/** The rows of an answer; none if the question could not be asked. */
export function rowsOf(question: string): Row[] {
    const answer = data.tables[question];
    if (answer === undefined) return [];
    if (!known.has(question)) {
        const columns = answer.cells.map((cells) => (Array.isArray(cells) ? cells : cells.codes.map((c) => (c === null ? "" : cells.levels[c]))));
        known.set(question, answer.weights.map((weight, i) => Object.assign(Object.fromEntries(answer.columns.map((c, j) => [c.name, columns[j][i]])), { weight })));
    }
    return known.get(question)!;
}

export function columnOf(question: string, name: string): Column {
    return data.tables[question].columns.find((c) => c.name === name)!;
}

function sentences(texts: string[], look: string): HTMLElement[] {
    return texts.map((text) => h("p", { class: look }, sentence(text[0].toUpperCase() + text.slice(1) + ".")));
}

export function doubts(question: string): HTMLElement[] {
    return sentences(data.tables[question]?.doubts ?? [], "note");
}

export function remarks(question: string): HTMLElement[] {
    return sentences(data.tables[question]?.remarks ?? [], "how");
}

/** The same as one line of text. */
export function remarksOn(question: string): HTMLElement[] {
    return (data.tables[question]?.remarks ?? []).map((text) => h("span", {}, " ", sentence(text[0].toUpperCase() + text.slice(1) + ".")));
}

// ---- effects ----

export interface Effect {
    topic: number; // from 0, of a union the first; -1: not a topic
    feature: string;
    mean: Num;
    low: Num;
    high: Num;
    p: Num;
    shrinkage: Num;
    reliability: Num;
    weight: Num;
}

/** The scores, by their numbers. */
export const outputs: string[] = [];
const fieldOf: string[] = []; // of each score
const effects = new Map<string, Effect[]>(); // "output/kind"

for (const [i, row] of rowsOf("effects").entries()) {
    const last = rowsOf("effects")[i - 1];
    if (last === undefined || last.field !== row.field || last.output !== row.output) {
        outputs.push(row.output as string);
        fieldOf.push(row.field as string);
    }
    const key = `${outputs.length - 1}/${row.kind as string}`;
    const effect = {
        topic: row.kind === "topic" ? parseInt(row.feature as string) - 1 : -1,
        feature: row.feature as string,
        mean: row.mean as Num,
        low: row.q05 as Num,
        high: row.q95 as Num,
        p: row.p_positive as Num,
        shrinkage: row.shrinkage as Num,
        reliability: (row.reliability ?? null) as Num,
        weight: row.weight,
    };
    effects.set(key, [...(effects.get(key) ?? []), effect]);
}

/** Whether effects of topics have intervals: those of a training cannot be told from chance, and no sentence is made of them. */
export const haveIntervals = rowsOf("effects").some((row) => row.kind === "topic" && row.q05 !== null);

/** What moves a score, of one kind: "topic", "covariate", "word", "variance", ... */
export function effectsOf(output: number, kind: string): Effect[] {
    return (effects.get(`${output}/${kind}`) ?? []).filter((e) => e.mean !== null);
}

export function effectOfTopic(output: number, topic: number): Effect | undefined {
    return effectsOf(output, "topic").find((e) => e.topic === topic);
}

// ---- what the model is ----

export interface Response {
    field: string;
    response: string;
    scale: string;
    task: "binary" | "multiclass" | "multilabel" | "regression" | "ordinal";
    classes: string[];
    probabilities: string;
    first: number; // of its scores
    outputs: number;
    hasClassScores: boolean;
}

/** What the description of the model has under some names: the values by the names that follow. */
function described(...path: string[]): Map<string, string[]> {
    const rows = rowsOf("description").filter((row) => (row.path as string[]).length > path.length && path.every((p, i) => (row.path as string[])[i] === p));
    return new Map(rows.map((row) => [(row.path as string[]).slice(path.length).join("/"), row.value as string[]]));
}

function responseOf(field: string): Response {
    const about = described("responses", field), text = (name: string) => about.get(name)?.[0] ?? "";
    return {
        field,
        response: text("response"),
        scale: text("scale"),
        task: text("task") as Response["task"],
        classes: about.get("classes") ?? [],
        probabilities: text("probabilities"),
        first: fieldOf.indexOf(field),
        outputs: fieldOf.filter((of) => of === field).length,
        hasClassScores: ["binary", "multiclass", "multilabel"].includes(text("task")),
    };
}

const sizes = described(), size = (name: string) => Number(sizes.get(name)?.[0]);

export const card = {
    documents: size("training_documents"),
    tokens: size("training_tokens"),
    words: size("words"),
    draws: size("draws"),
    seed: sizes.get("seed")?.[0] ?? "", // larger than the numbers of a page
    oneVsRest: rowsOf("topics").some((row) => row.class !== undefined),
    responses: [...new Set(rowsOf("description").flatMap(({ path }) => ((path as string[])[0] === "responses" && (path as string[]).length > 1 ? [(path as string[])[1]] : [])))].map(responseOf),
    settings: described("settings"),
    /** Groups that word topics differently, or levels in their order; empty without them. */
    wordings: [...described("wording")].find(([name]) => name === "groups" || name === "levels")?.[1] ?? [],
    /** The chain whose topics they are, from 1. */
    topicsOfChain: Number(sizes.get("topics_of_chain")?.[0] ?? 1),
    /** Settings that are not the defaults. */
    changed: rowsOf("description").filter((row) => row.is_default === false).map((row): [string, string[]] => [(row.path as string[])[1], row.value as string[]]),
};

// ---- chains ----

export interface Trace {
    name: string;
    chain: number; // from 1
    stride: number; // values after sweeps stride, 2 stride, ...
    sweeps: number;
    trend: string;
    kept: number; // sweep of the first draw; 0: there is none
    values: Num[];
}

export interface Mixing {
    name: string;
    numbers: number;
    chains: number; // of a topic those that have it
    r_hat: Num;
    bulk: Num;
    tail: Num;
    limit: Num;
    agrees: boolean | null; // null: nothing varies, so there is no R-hat
}

export interface TopicTrust extends Mixing {
    output: number;
    topic: number;
}

const mixing = (row: Row): Mixing => ({ name: row.name as string, numbers: row.numbers as number, chains: row.chains as number, r_hat: row.r_hat as Num, bulk: row.ess_bulk as Num, tail: row.ess_tail as Num, limit: row.limit as Num, agrees: row.agrees as boolean | null });
const diagnosed = (...kinds: string[]) => rowsOf("diagnosis").filter((row) => kinds.includes(row.kind as string));

export const traces: Trace[] = rowsOf("traces").map((row) => ({ name: row.name as string, chain: row.chain as number, stride: row.stride as number, sweeps: row.sweeps as number, trend: row.trend as string, kept: (row.first_kept ?? 0) as number, values: row.values as Num[] }));
export const quantities: Mixing[] = rowsOf("diagnosis").filter((row) => row.kind !== "topic" && row.kind !== "acceptance").map(mixing);
export const trusts: TopicTrust[] = diagnosed("topic").map((row) => ({ ...mixing(row), output: Math.max(0, outputs.indexOf(row.of as string)), topic: (row.topic as number) - 1 }));
/** A sentence of the verdict. */
export interface Judgement {
    about: string;
    holds: boolean | null; // null: not known, or not asked
    text: string;
}

export const verdict: Judgement[] = rowsOf("verdict").map((row) => ({ about: row.about as string, holds: row.holds as boolean | null, text: row.text as string }));
export const nChains = Math.max(1, ...quantities.map((q) => q.chains));

/** By kind of the proposals: the rate in each chain. */
export const acceptance = new Map<string, Num[]>();
for (const row of diagnosed("acceptance")) acceptance.set(row.of as string, [...(acceptance.get(row.of as string) ?? []), row.mean as Num]);

// ---- how good predictions are ----

interface Score {
    name: string;
    value: Num;
    linear: Num;
    meaning: string;
    isCount: boolean;
}

interface Bin {
    low: number;
    high: number;
    n: number;
    mean: Num;
    share: Num;
}

interface ClassScore {
    name: string;
    precision: number;
    recall: number;
    f1: number;
    n: number;
}

export interface Evaluation {
    response: number; // of the card
    field: string;
    scores: Score[];
    bins: Bin[];
    confusion: number[][] | null; // true classes, predicted ones
    classes: ClassScore[];
}

/** Only the field of a model's only response may have another name in the documents. */
function evaluationOf(field: string): Evaluation {
    const of = (question: string) => rowsOf(question).filter((row) => row.field === field);
    const response = Math.max(0, card.responses.findIndex((r) => r.field === field)), n = card.responses[response].classes.length;
    const counts = of("confusion").map((row) => row.n as number);
    return {
        response,
        field,
        scores: of("evaluation").map((row) => ({ name: row.score as string, value: row.value as Num, linear: (row.linear ?? null) as Num, meaning: row.meaning as string, isCount: row.is_count as boolean })),
        bins: of("calibration").map((row) => ({ low: row.low as number, high: row.high as number, n: row.n as number, mean: row.mean_probability as Num, share: row.share as Num })),
        confusion: counts.length === 0 ? null : Array.from({ length: n }, (_, i) => counts.slice(i * n, (i + 1) * n)),
        classes: of("classes").map((row) => ({ name: row.class as string, precision: row.precision as number, recall: row.recall as number, f1: row.f1 as number, n: row.n as number })),
    };
}

export const evaluations = [...new Set(rowsOf("evaluation").map((row) => row.field as string))].map(evaluationOf);

// ---- all answers ----

function csv(answer: Answer, rows: Row[]): string {
    const cell = (value: Value): string => (value === null ? "" : Array.isArray(value) ? value.map((v) => String(v).replace(/[\\;]/g, "\\$&")).join(";") : typeof value === "boolean" ? String(Number(value)) : String(value));
    const line = (cells: Value[]) => csvLine(cells.map(cell));
    return line(answer.columns.map((c) => c.name)) + rows.map((r) => line(answer.columns.map((c) => r[c.name]))).join("");
}

function shown(value: Value): Cell {
    return Array.isArray(value) ? value.map((v) => (typeof v === "string" ? clean(v) : String(v))).join(", ") : typeof value === "boolean" ? (value ? "yes" : "no") : value;
}

function answerOf(question: string, answer: Answer): HTMLElement {
    const rows = rowsOf(question), id = newId();
    const body = h("div", { id });
    const details = h("details", {
        toggle: () => {
            if (body.childElementCount > 0) return;
            const columns = answer.columns.filter((c) => rows.some((r) => r[c.name] !== null && r[c.name] !== ""));
            body.append(
                ...doubts(question),
                ...remarks(question),
                h("button", { type: "button", click: () => save(`${question}.csv`, new Blob([csv(answer, rows)], { type: "text/csv" })) }, "Save as CSV"),
                draw({ columns: columns.map((c) => c.name), rows: rows.map((r) => columns.map((c) => shown(r[c.name]))) }, question),
                h("dl", {}, columns.flatMap((c) => [h("dt", {}, c.name), h("dd", {}, clean(c.help), c.unit !== "" && ` (${clean(c.unit)})`)])),
            );
        },
    }, h("summary", {}, `${question}: ${plural(rows.length, "row")}`, answer.left_out > 0 && ` of ${count(rows.length + answer.left_out)}`), body);
    return details;
}

/** Every answer as a table, with what its columns say. */
export function tablesSection(): HTMLElement[] {
    return [
        h("p", { class: "how" }, "The numbers behind the figures, each with the sentences that belong to it. The command and the Python package give the same tables."),
        ...Object.entries(data.tables).map(([question, answer]) => answerOf(question, answer)),
    ];
}
