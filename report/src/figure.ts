// A figure that says what it shows: in a sentence, as a drawing, and as a table.
import { clear, h, table, type TableData } from "./dom";
import { files } from "./files";

export interface FigureOptions {
    /** What is to be seen, in a sentence. */
    finding: string;
    /** Whether it is said in bold; true unless given. */
    isHeadline?: boolean;
    /** How to read it. */
    how?: string;
    /** The drawing for a width in pixels. */
    draw: (width: number) => Element;
    table: () => TableData;
    class?: string;
}

const redraws = new WeakMap<Element, () => void>();
const observer = new ResizeObserver((entries) => {
    for (const e of entries) redraws.get(e.target)?.();
});

export function figure(options: FigureOptions): HTMLElement {
    const canvas = h("div", { class: "canvas" });
    const details = h("details", { class: "data" }, h("summary", {}, "Table and files"));
    details.addEventListener("toggle", () => {
        if (details.open && details.childElementCount === 1) details.append(files(options), table(options.table(), options.finding));
    });
    let last = 0;
    const redraw = () => {
        const width = Math.floor(canvas.clientWidth);
        if (width === 0 || width === last) return;
        last = width;
        const drawing = options.draw(width);
        // for screen readers the drawing is one image, which says its finding
        for (const part of drawing.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
        drawing.setAttribute("role", "img");
        drawing.setAttribute("aria-label", options.finding);
        clear(canvas, drawing);
    };
    redraws.set(canvas, redraw);
    observer.observe(canvas);
    return h(
        "figure",
        { class: options.class },
        h("figcaption", {}, h(options.isHeadline === false ? "span" : "strong", {}, options.finding), options.how !== undefined && h("span", { class: "how" }, " " + options.how)),
        canvas,
        details,
    );
}

/** What all drawings share. */
export const look = { fontSize: "13px", fontFamily: "inherit", background: "transparent", color: "inherit", overflow: "visible" };

/** A colour between the page's and that of positive or negative numbers, by size from 0 to 1. */
export function diverging(value: number): string {
    const share = Math.round(100 * Math.min(1, Math.abs(value)));
    return `color-mix(in oklab, var(${value < 0 ? "--negative" : "--positive"}) ${share}%, var(--surface))`;
}

/** Draw what has become visible since, at once: before printing nothing waits. */
export function drawAll(): void {
    for (const canvas of document.querySelectorAll(".canvas")) redraws.get(canvas)?.();
}
