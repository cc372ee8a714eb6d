// Files of a figure: its drawing as SVG and PNG, for one and two columns of a printed page, and its numbers as CSV.
import { h, type Cell, type TableData } from "./dom";

/** Pixels of a drawing, and millimetres in print: text of 13 pixels is 8.7 points there. */
const SIZES = [
    { name: "one column", width: 380, millimetres: 90 },
    { name: "two columns", width: 760, millimetres: 180 },
] as const;
const DOTS_PER_MILLIMETRE = 300 / 25.4, MARGIN = 6;

export interface Shown {
    finding: string;
    draw: (width: number) => Element;
    table: () => TableData;
}

/** Offer bytes under a name, as a link that is pressed at once. */
export function save(name: string, content: Blob): void {
    const link = h("a", { href: URL.createObjectURL(content), download: name }) as HTMLAnchorElement;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function csvLine(cells: string[]): string {
    return cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text)).join(",") + "\n";
}

function asText(cell: Cell): string {
    return cell === null ? "" : typeof cell === "string" || typeof cell === "number" ? String(cell) : (cell.textContent ?? "");
}

export function asCsv(data: TableData): string {
    return csvLine(data.columns) + data.rows.map((row) => csvLine(row.map(asText))).join("");
}

/** The colours of the light page, on which print is based: what its first rule says. */
function lightColours(): string {
    const root = Array.from(document.styleSheets[0].cssRules).find((rule) => rule instanceof CSSStyleRule && rule.selectorText === ":root") as CSSStyleRule;
    return root.style.cssText;
}

const pixel = document.createElement("canvas");
pixel.width = pixel.height = 1;

/** A colour as other programs know it. */
function plainColour(colour: string): string {
    const context = pixel.getContext("2d", { willReadFrequently: true })!;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return a === 255 ? `rgb(${r},${g},${b})` : `rgba(${r},${g},${b},${(a / 255).toFixed(3)})`;
}

const KEPT = ["fill-opacity", "stroke-opacity", "opacity", "font-size", "font-weight", "font-variant-numeric", "text-anchor", "visibility"];

/** Write down what rules of the page say of an element, which its file does not have. */
function writeStyle(element: SVGElement, style: CSSStyleDeclaration): void {
    for (const name of ["fill", "stroke"]) {
        const value = style.getPropertyValue(name);
        element.setAttribute(name, value === "none" || value.startsWith("url(") ? value : plainColour(value));
    }
    if (element instanceof SVGTextContentElement || element.tagName === "svg")
        for (const name of KEPT) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
    element.removeAttribute("style");
}

/** The drawing of a figure as a file of its own. */
export function asSvg(shown: Shown, size: (typeof SIZES)[number]): SVGSVGElement {
    const frame = h("div", { class: "off-screen" });
    frame.style.cssText = `${lightColours()}; width: ${size.width}px; color: var(--text)`;
    frame.append(shown.draw(size.width));
    document.body.append(frame);
    const svg = frame.querySelector("svg")!, box = svg.getBBox();
    const left = Math.min(0, box.x) - MARGIN, top = Math.min(0, box.y) - MARGIN;
    const right = Math.max(svg.clientWidth, box.x + box.width) + MARGIN, bottom = Math.max(svg.clientHeight, box.y + box.height) + MARGIN;
    const elements = [svg, ...svg.querySelectorAll<SVGElement>("*:not(style, title)")];
    const styles = elements.map((e) => getComputedStyle(e));
    elements.forEach((e, i) => writeStyle(e, styles[i]));
    for (const rules of svg.querySelectorAll("style")) rules.remove();
    const background = document.createElementNS(svg.namespaceURI, "rect"), title = document.createElementNS(svg.namespaceURI, "title");
    for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top, fill: "#fff" })) background.setAttribute(name, String(value));
    title.textContent = shown.finding;
    svg.prepend(title, background);
    const scale = size.millimetres / (right - left);
    for (const [name, value] of Object.entries({ xmlns: svg.namespaceURI!, viewBox: `${left} ${top} ${right - left} ${bottom - top}`, width: `${size.millimetres}mm`, height: `${((bottom - top) * scale).toFixed(2)}mm`, "font-family": "Helvetica, Arial, sans-serif" })) svg.setAttribute(name, value);
    for (const name of ["role", "aria-label"]) svg.removeAttribute(name);
    svg.remove();
    frame.remove();
    return svg;
}

function svgFile(svg: SVGSVGElement): Blob {
    return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

/** The same in dots, for print. */
export async function asPng(svg: SVGSVGElement, millimetres: number): Promise<Blob> {
    const box = svg.viewBox.baseVal, width = Math.round(millimetres * DOTS_PER_MILLIMETRE), height = Math.round((width * box.height) / box.width);
    svg.setAttribute("width", String(width));
    svg.setAttribute("height", String(height));
    const image = new Image(), canvas = document.createElement("canvas"), url = URL.createObjectURL(svgFile(svg));
    image.src = url;
    await image.decode();
    URL.revokeObjectURL(url);
    [canvas.width, canvas.height] = [width, height];
    canvas.getContext("2d")!.drawImage(image, 0, 0, width, height);
    return new Promise((done, failed) => canvas.toBlob((blob) => (blob === null ? failed(new Error("the picture is too large")) : done(blob)), "image/png"));
}

/** Buttons for all files of a figure. */
export function files(shown: Shown): HTMLElement {
    const name = shown.finding.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60);
    const button = (text: string, make: () => void) => h("button", { type: "button", "aria-label": `${text}, of the figure: ${shown.finding}`, click: make }, text);
    return h("p", { class: "files" },
        SIZES.map((size) => [
            button(`SVG, ${size.name}`, () => save(`${name}.svg`, svgFile(asSvg(shown, size)))),
            button(`PNG, ${size.name}`, () => void asPng(asSvg(shown, size), size.millimetres).then((blob) => save(`${name}.png`, blob))),
        ]),
        button("CSV", () => save(`${name}.csv`, new Blob([asCsv(shown.table())], { type: "text/csv" }))));
}
