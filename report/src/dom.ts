// Elements, texts and numbers.

type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

function append(parent: Element, child: Child): void {
    if (child === null || child === undefined || child === false) return;
    if (Array.isArray(child)) for (const one of child) append(parent, one);
    else parent.append(child instanceof Node ? child : String(child));
}

/** An element; attributes that are functions listen to an event: { click: ... }. */
export function h<K extends keyof HTMLElementTagNameMap>(
    name: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(key, value);
        else if (value === true) element.setAttribute(key, "");
        else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, String(value));
    }
    append(element, children);
    return element;
}

/** A text of the model's as it may be shown: marks that change the direction of what follows, and control characters, become visible. */
export function clean(text: string): string {
    return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, "\ufffd");
}

/** The beginning of a long text. */
export function short(text: string, length = 40): string {
    const characters = Array.from(clean(text.slice(0, 4 * length)));
    return characters.length > length ? characters.slice(0, length - 1).join("") + "…" : characters.join("");
}

/** For figures: a text whose direction does not leak. */
export function isolated(text: string, length?: number): string {
    return "\u2068" + short(text, length) + "\u2069";
}

/** A name of the model's in running text. */
export function name(text: string, length?: number): HTMLElement {
    const shown = short(text, length);
    return h("bdi", shown === text ? {} : { title: clean(text.slice(0, 2000)) }, shown);
}

// ---- numbers ----

export function number(value: number | null | undefined, digits = 3): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(Math.max(digits - 1, 0)).replace("-", "−").replace("e-", "e−");
    if (size >= 1e6) return value.toLocaleString("en", { maximumFractionDigits: 2 }).replace("-", "−"); // they may differ by little
    if (Number.isInteger(value) && size >= 1000) return value.toLocaleString("en");
    return Number(value.toPrecision(digits)).toLocaleString("en", { maximumFractionDigits: 6 }).replace("-", "−");
}

export function signed(value: number | null | undefined, digits = 3): string {
    return (value ?? 0) > 0 ? "+" + number(value, digits) : number(value, digits);
}

export function count(value: number): string {
    return value.toLocaleString("en");
}

export function percent(value: number | null | undefined): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    const p = 100 * value;
    return (p !== 0 && Math.abs(p) < 10 ? p.toFixed(1) : p.toFixed(0)).replace("-", "−") + "\u00a0%";
}

export function plural(n: number, noun: string, several = noun + "s"): string {
    return `${count(n)} ${n === 1 ? noun : several}`;
}

/** A sentence of the library, in which options stay on one line. */
export function sentence(text: string): HTMLElement {
    return h("span", {}, clean(text).split(/(--[a-z-]+(?: [0-9]+)?)/).map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part)));
}

// ---- tables ----

export type Cell = string | number | Node | null;

export interface TableData {
    columns: string[];
    rows: Cell[][];
}

const MAX_ROWS = 500;
const NUMBER = /^(–|[+−]?[\d.,]+(e−?\d+)?(\u00a0%)?)$/;

/** A table whose columns of numbers stand to the right. */
export function table(data: TableData, caption?: string): HTMLElement {
    const rows = data.rows.slice(0, MAX_ROWS);
    const isNumber = data.columns.map((_, i) => rows.length > 0 && rows.every((r) => typeof r[i] === "number" || r[i] === null || (typeof r[i] === "string" && NUMBER.test(r[i] as string))));
    const cell = (value: Cell, i: number) =>
        h("td", isNumber[i] ? { class: "number" } : {}, typeof value === "number" ? number(value, 4) : value === null ? "–" : typeof value === "string" ? h("bdi", {}, clean(value)) : value);
    return h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": caption ?? "table" },
        h(
            "table",
            {},
            caption !== undefined && h("caption", {}, caption),
            h("thead", {}, h("tr", {}, data.columns.map((c, i) => h("th", { scope: "col", class: isNumber[i] ? "number" : null }, h("bdi", {}, clean(c)))))),
            h("tbody", {}, rows.map((r) => h("tr", {}, r.map(cell)))),
        ),
        data.rows.length > MAX_ROWS && h("p", { class: "note" }, `${count(data.rows.length - MAX_ROWS)} more rows are not shown.`),
    );
}

let ids = 0;
export function newId(): string {
    return `e${++ids}`;
}

/** A labelled choice. */
export function choice(label: string, options: [string, string][], value: string, onChange: (value: string) => void): HTMLElement {
    const select = h("select", { change: () => onChange(select.value) }, options.map(([v, text]) => h("option", { value: v }, short(text, 60))));
    select.value = value;
    return h("label", { class: "field" }, h("span", {}, label), select);
}

export function clear(element: Element, ...children: Child[]): void {
    element.replaceChildren();
    append(element, children);
}
