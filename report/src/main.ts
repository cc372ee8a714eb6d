// The page: its head, its sections, and which of them is shown.
import { micromark } from "micromark";
import { chainsSection } from "./chains";
import { data } from "./data";
import { clean, clear, h, name, short } from "./dom";
import { documents } from "./documents";
import { drawAll } from "./figure";
import { groups } from "./groups";
import { overview } from "./overview";
import { prevalence } from "./prevalence";
import { response } from "./response";
import { selectionSection } from "./selection";
import { outputs, tablesSection } from "./tables";
import { topics } from "./topics";
import { wording } from "./wording";

interface Section {
    id: string;
    title: string;
    make: () => HTMLElement[];
}

const all: Section[] = [
    { id: "overview", title: "Overview", make: overview },
    { id: "topics", title: "Topics", make: topics },
    ...(outputs.length > 0 ? [{ id: "response", title: "Response", make: response }] : []),
    ...(data.tables.prevalence !== undefined ? [{ id: "prevalence", title: "Prevalence", make: prevalence }] : []),
    ...(data.tables.wordings !== undefined ? [{ id: "wording", title: "Wording", make: wording }] : []),
    ...(data.documents !== null ? [{ id: "documents", title: "Documents", make: documents }] : []),
    ...(data.tables.groups !== undefined ? [{ id: "groups", title: "Groups", make: groups }] : []),
    ...(data.selection !== null ? [{ id: "choice", title: "Choice", make: selectionSection }] : []),
    { id: "chains", title: "Chains", make: chainsSection },
    ...(Object.keys(data.tables).length > 0 ? [{ id: "tables", title: "Tables", make: tablesSection }] : []),
];

const sections = all.filter((s) => data.made.sections === null || data.made.sections.includes(s.id));

const elements = new Map<string, HTMLElement>();
const links = new Map<string, HTMLAnchorElement>();
let intro: HTMLElement | null = null; // it stands before the first section

/** Sections are made when they are first shown. */
function make(section: Section): HTMLElement {
    const element = elements.get(section.id)!;
    if (element.childElementCount === 1) element.append(...section.make());
    return element;
}

function show(id: string): void {
    const current = sections.find((s) => s.id === id) ?? sections[0];
    for (const s of sections) {
        elements.get(s.id)!.hidden = s !== current;
        if (s === current) links.get(s.id)!.setAttribute("aria-current", "page");
        else links.get(s.id)!.removeAttribute("aria-current");
    }
    if (intro !== null) intro.hidden = current !== sections[0];
    make(current);
    drawAll();
}

function themeButton(): HTMLElement {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const root = document.documentElement;
    const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
    const button = h("button", { type: "button", class: "theme" });
    const label = () => clear(button, isDark() ? "Light" : "Dark", h("span", { class: "hidden" }, " colours"));
    button.addEventListener("click", () => {
        root.dataset.theme = isDark() ? "light" : "dark";
        label();
    });
    dark.addEventListener("change", label);
    label();
    return button;
}

/** The text of the authors: Markdown, in which HTML is text, pictures are what they are called, and nothing is fetched. */
function about(): HTMLElement | null {
    if (data.made.about === null) return null;
    const { body } = new DOMParser().parseFromString(micromark(data.made.about), "text/html"); // where nothing runs or loads
    for (const picture of body.querySelectorAll("img")) picture.replaceWith(picture.alt);
    for (const link of body.querySelectorAll("a")) link.rel = "noreferrer";
    return h("section", { class: "about", "aria-label": "About this page" }, [...body.childNodes]);
}

function start(): void {
    const title = data.made.title || data.made.file, by = data.made.authors.map(clean).join(", ");
    document.title = `${short(title, 60)} · gibbous report`;
    intro = about();
    for (const s of sections) {
        links.set(s.id, h("a", { href: `#${s.id}` }, s.title));
        elements.set(s.id, h("section", { id: `section-${s.id}`, class: "section", "aria-label": s.title, tabindex: -1 }, h("h2", {}, s.title)));
    }
    clear(
        document.getElementById("page")!,
        h("a", { class: "skip", href: "#section", click: (e) => { e.preventDefault(); document.querySelector<HTMLElement>(".section:not([hidden])")?.focus(); } }, "Skip to the content"),
        h("header", {}, h("h1", {}, name(title, 120)), h("p", { class: "muted" }, by !== "" && h("bdi", {}, `${by} · `), `a topic model by gibbous ${clean(data.made.version)}`), themeButton()),
        h("nav", { class: "sections", "aria-label": "Sections" }, [...links.values()]),
        intro, h("main", {}, [...elements.values()]),
    );
    addEventListener("hashchange", () => show(location.hash.slice(1)));
    let theme: string | undefined;
    addEventListener("beforeprint", () => {
        theme = document.documentElement.dataset.theme;
        document.documentElement.dataset.theme = "light";
        if (intro !== null) intro.hidden = false;
        for (const s of sections) make(s).hidden = false;
        drawAll();
    });
    addEventListener("afterprint", () => {
        if (theme === undefined) delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
        show(location.hash.slice(1));
    });
    show(location.hash.slice(1));
}

start();
