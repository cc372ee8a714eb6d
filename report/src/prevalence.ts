// Topic shares by metadata: differences of expected shares, and curves.
import { differences, furthestApart, lines, mostAndLeast, movement, points, type Share } from "./curves";
import { choice, clean, clear, h, short, type Cell } from "./dom";
import { figure } from "./figure";
import { card, doubts, remarks, rowsOf, type Row } from "./tables";
import { topicName } from "./topicset";

function topicOf(row: Row): number {
    return parseInt(row.topic as string) - 1;
}

function by<T>(rows: T[], key: (row: T) => string): Map<string, T[]> {
    const found = new Map<string, T[]>();
    for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
    return found;
}

// ---- differences ----

function changes(): HTMLElement | null {
    const pairs = by(rowsOf("prevalence-contrasts"), (row) => JSON.stringify([row.field, row.value, row.minus]));
    if (pairs.size === 0) return null;
    const place = h("div", {}), keys = [...pairs.keys()];
    const draw = (key: string) => {
        const [field, value, minus] = JSON.parse(key) as string[];
        clear(place, differences(`${short(field)} = ${short(value)}`, short(minus), `The share expected with ${short(value)} less the share expected with ${short(minus)}, other fields being as they are`, pairs.get(key)!.map((r) => ({ topic: topicOf(r), mean: r.mean as number, low: r.q05 as number, high: r.q95 as number }))));
    };
    draw(keys[0]);
    return h("section", { class: "plain" }, h("h3", {}, "What a change changes"),
        h("div", { class: "controls" }, choice("Change", keys.map((key): [string, string] => {
            const [field, value, minus] = JSON.parse(key) as string[];
            return [key, `${short(field, 20)} = ${short(value, 16)} minus ${short(minus, 16)}`];
        }), keys[0], draw)),
        place);
}

// ---- curves ----

interface Curves {
    field: string;
    second: string; // "": there is none
    isNumber: boolean;
    places: string[];
    topic: Map<number, Row[]>;
}

function curvesOf(rows: Row[]): Curves {
    const topic = new Map([...by(rows, (row) => String(topicOf(row)))].map(([k, of]) => [Number(k), of]));
    const second = (rows[0].by_field ?? "") as string, isNumber = rows[0].number !== null;
    const label = (row: Row) => (second !== "" && !isNumber ? `${row.value}, ${row.by_value}` : (row.value as string));
    return { field: rows[0].field as string, second, isNumber, places: [...new Set(rows.map(label))], topic };
}

/** Numbers of a curve, to a digit behind their distance. */
function rounded(rows: Row[], number: number): string {
    const numbers = rows.map((row) => row.number as number), step = (Math.max(...numbers) - Math.min(...numbers)) / Math.max(1, new Set(numbers).size - 1);
    const digits = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step || 1)) + (step < 1 ? 1 : 0)));
    return String(Number(number.toFixed(digits)));
}

function sharesOf(curves: Curves, topic: number): Share[] {
    const { second, isNumber, places } = curves, rows = curves.topic.get(topic)!;
    return rows.map((row) => {
        const value = row.value as string, label = second !== "" && !isNumber ? `${value}, ${row.by_value}` : value;
        return {
            line: second !== "" && isNumber ? (row.by_value as string) : "",
            at: isNumber ? (row.number as number) : places.indexOf(label),
            label: isNumber ? `${short(curves.field, 20)} ${rounded(rows, row.number as number)}` : label,
            mean: row.mean as number,
            low: row.q05 as number,
            high: row.q95 as number,
            band: isNumber ? [row.band_low as number, row.band_high as number] : undefined,
            isKnown: true,
        };
    });
}

function curve(curves: Curves, topic: number): HTMLElement {
    const { field, second, isNumber, places } = curves, shares = sharesOf(curves, topic), isSeveral = second !== "" && isNumber;
    return figure({
        finding: isSeveral ? furthestApart(shares, topic) : mostAndLeast(shares, topic, isNumber ? "at" : "with"),
        how: isNumber
            ? "Bands hold 90 % of the posterior at each value; between the dotted lines the whole curve lies in 90 % of the posterior. Fields that are not named are as in the training documents, and averaged over."
            : "Lines hold 90 % of the posterior. Fields that are not named are as in the training documents, and averaged over.",
        class: "half",
        draw: (width) => (isNumber ? lines(shares, { label: short(field) }, width) : points(shares, places, width)),
        table: () => ({
            columns: [field, ...(second !== "" ? [second] : []), "share", "5 %", "95 %", "whole curve from", "to"],
            rows: curves.topic.get(topic)!.map((r): Cell[] => [clean(r.value as string), ...(second !== "" ? [clean(r.by_value as string)] : []), r.mean as number, r.q05 as number, r.q95 as number, r.band_low as number, r.band_high as number]),
        }),
    });
}

function allCurves(): HTMLElement[] {
    const found = [...by(rowsOf("prevalence"), (row) => JSON.stringify([row.field, row.by_field ?? ""])).values()].map(curvesOf);
    if (found.length === 0) return [];
    const grid = h("div", { class: "grid" }), topics = h("span", {});
    // what interacts says most
    let at = Math.max(0, found.findIndex((c) => c.second !== ""));
    const draw = (topic: string) => {
        const order = [...found[at].topic.keys()].sort((a, b) => movement(sharesOf(found[at], b)) - movement(sharesOf(found[at], a)));
        clear(grid, (topic === "" ? order.slice(0, 6) : [Number(topic)]).map((k) => curve(found[at], k)));
        clear(topics, choice("Topic", [["", "the six that change most"], ...order.map((k): [string, string] => [String(k), topicName(k, 0, 5)])], topic, draw));
    };
    draw("");
    return [
        h("h3", { class: "hidden" }, "Expected shares"),
        h("div", { class: "controls" },
            choice("Field", found.map((c, i): [string, string] => [String(i), c.second === "" ? short(c.field, 30) : `${short(c.field, 20)} by ${short(c.second, 20)}`]), String(at), (i) => {
                at = Number(i);
                draw("");
            }),
            topics),
        grid,
    ];
}

export function prevalence(): HTMLElement[] {
    return [
        h("p", { class: "how" }, "How topic shares depend on metadata, by the formula ", h("code", { class: "long" }, clean((card.settings.get("prevalence") ?? []).join(", "))), "."),
        ...doubts("prevalence"),
        ...remarks("prevalence"),
        ...allCurves(),
        changes(),
    ].filter((e): e is HTMLElement => e !== null);
}
