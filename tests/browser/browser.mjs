// node browser.mjs GIBBOUS CHROMIUM [REPORT]...: reports of several models, or those given, in a browser: every section and control,
// no error, no request, no script of the texts, numbers as in the data, and nothing serious for axe-core where it is installed.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Browser } from "./chromium.mjs";
import { documents as hostileDocuments, hostile } from "./hostile.mjs";

const [program, chromium, ...given] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "gibbous-reports-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function gibbous(...args) {
    const run = spawnSync(resolve(program), args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
    if (run.status === 0) return run.stdout;
    if (run.stderr.includes("built without the page")) {
        console.log(`skipped: ${run.stderr}`);
        process.exit(77);
    }
    throw new Error(`gibbous ${args.join(" ")}: ${run.stderr}`);
}

/** Texts of three themes; a label, several labels, a number and a year follow them. */
function documents() {
    const themes = ["goal team match player league season coach score", "court judge law trial jury appeal verdict rights", "river forest bird mountain rain valley stone wind"];
    let state = 7;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const lines = [];
    for (let i = 0; i < 240; i++) {
        const main = i % 3;
        const words = Array.from({ length: 25 }, () => {
            const theme = themes[random() < 0.75 ? main : Math.floor(3 * random())].split(" ");
            return theme[Math.floor(theme.length * random())];
        });
        const labels = ["sport", "law", "nature"];
        lines.push({
            id: `d${i}`,
            text: words.join(" "),
            label: labels[main],
            two: main === 0 ? "sport" : "other",
            tags: [labels[main], ...(random() < 0.3 ? ["long"] : [])],
            rating: 10 * main + random(),
            stars: String(main + 1),
            many: `class ${i % 33}`,
            year: 2000 + Math.floor(i / 24),
        });
    }
    return lines.map((l) => JSON.stringify(l)).join("\n") + "\n";
}

const MODELS = {
    classes: ["--label", "label", "--chains", "2"],
    binary: ["--label", "two", "--response", "logistic"],
    labels: ["--labels", "tags"],
    number: ["--target", "rating", "--covariates", "year", "--word-effects", "tfidf"],
    many: ["--label", "many"],
    levels: ["--label", "stars", "--response", "ordinal"],
    rest: ["--label", "label", "--strategy", "one-vs-rest"],
    plain: ["--response", "none", "--chains", "4"],
    groups: ["--response", "none", "--prior", "graph", "--group", "year", "--graph", "chain"],
    grid: ["--response", "none", "--prior", "graph", "--group", "two,year", "--graph", "grid"],
    full: ["--response", "none", "--prior", "logistic-normal", "--covariance", "full"],
    content: ["--content", "two", "--response", "none"],
    evolve: ["--evolve", "year", "--response", "none"],
    prevalence: ["--response", "none", "--prior", "logistic-normal", "--prevalence", "two * s(year) + stars:label + rating:year + (1|many)"],
};

function makeReports() {
    writeFileSync(join(folder, "d.jsonl"), documents());
    const reports = Object.entries(MODELS).map(([name, options]) => {
        gibbous("train", "d.jsonl", ...options, "-k", "4", "--sweeps", "60", "--seed", "1", "-q", "-m", `${name}.gibbous`);
        gibbous("report", "d.jsonl", "-m", `${name}.gibbous`, "-q", "-o", `${name}.html`, ...(name === "classes" ? ["--subgroups", "two", "--subgroups", "many"] : []));
        return join(folder, `${name}.html`);
    });
    gibbous("report", "-m", "classes.gibbous", "-q", "-o", "alone.html");
    gibbous("edit", "-m", "classes.gibbous", "--merge", "1+3", "--drop", "2", "-o", "united.gibbous", "-q");
    gibbous("report", "d.jsonl", "-m", "united.gibbous", "-q", "-o", "united.html");
    gibbous("train", "d.jsonl", "--label", "label", "-k", "1500", "--sweeps", "4", "--seed", "1", "-q", "-m", "topics.gibbous");
    gibbous("report", "-m", "topics.gibbous", "-q", "-o", "topics.html");
    // of settings that were compared, with a linear model, and chains that are long enough for ranks
    writeFileSync(join(folder, "tried.json"), gibbous("select", "d.jsonl", "--label", "label", "-k", "3,6", "--cost", "1,4", "--folds", "3", "--sweeps", "20", "--seed", "1", "--json", "-q"));
    gibbous("report", "d.jsonl", "-m", "classes.gibbous", "--selection", "tried.json", "--baseline-on", "d.jsonl", "-q", "-o", "chosen.html");
    writeFileSync(join(folder, "h.jsonl"), hostileDocuments());
    gibbous("train", "h.jsonl", "--label", "label", "--token-pattern", "\\S+", "--no-lowercase", "-k", "3", "--sweeps", "40", "--seed", "1", "-q", "-m", "hostile.gibbous");
    writeFileSync(join(folder, "names.csv"), `topic,name\n${hostile.slice(0, 3).map((t, k) => `${k + 1},"${t.replace(/"/g, '""')}"`).join("\n")}\n`);
    gibbous("edit", "-m", "hostile.gibbous", "--names", "names.csv", "-o", "hostile-named.gibbous", "-q");
    writeFileSync(join(folder, "h.md"), `# ${hostile.join("\n\n")}\n\n![picture](https://example.org/x.png) <img src=x onerror=alert(1)> [link](javascript:alert(1))\n`);
    gibbous("report", "h.jsonl", "-m", "hostile-named.gibbous", "-q", "-o", "hostile.html", "--title", hostile[0], "--author", hostile[1], "--about", "h.md");
    return [...reports, join(folder, "united.html"), join(folder, "alone.html"), join(folder, "topics.html"), join(folder, "chosen.html"), join(folder, "hostile.html")];
}

/** Every control of the section that is shown, once: choices take each value, buttons are pressed, tables opened. */
const USE_ALL = `(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
    const here = () => document.querySelector(".section:not([hidden])");
    let used = 0;
    for (let i = 0; i < here().querySelectorAll("select").length; i++) {
        const all = [...here().querySelectorAll("select")[i].options].map((o) => o.value);
        for (const value of [...all.slice(1, 3), all[0]]) {
            const select = here().querySelectorAll("select")[i];
            if (select === undefined) break;
            select.value = value;
            select.dispatchEvent(new Event("change", { bubbles: true }));
            await frame();
            used++;
        }
    }
    for (const input of [...here().querySelectorAll("input")]) {
        const before = input.value;
        input.value = input.type === "range" ? "0.2" : "a";
        input.dispatchEvent(new Event("input", { bubbles: true }));
        input.value = before;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await frame();
        used++;
    }
    for (let i = 0; i < Math.min(20, here().querySelectorAll("button").length); i++) {
        here().querySelectorAll("button")[i]?.click();
        await frame();
        used++;
    }
    for (const d of [...here().querySelectorAll("details")]) d.open = true;
    await frame();
    return used;
})()`;

/** The files of the figures of the section: drawings are whole without the page and in the colours of print, and numbers are those of the table. */
const FILES = `(async () => {
    const here = document.querySelector(".section:not([hidden])"), faults = [], blobs = new Map(), saved = [];
    const create = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
    URL.createObjectURL = (blob) => { const url = create(blob); blobs.set(url, blob); return url; };
    HTMLAnchorElement.prototype.click = function () { saved.push([this.download, blobs.get(this.href)]); };
    const figures = [...here.querySelectorAll("figure")].filter((f) => f.querySelector(".files") !== null).slice(0, 4);
    if (figures.length === 0 && here.querySelector("figure") !== null) faults.push("figures without files");
    for (const figure of figures) {
        const buttons = [...figure.querySelectorAll(".files button")], before = saved.length;
        for (const b of buttons) b.click();
        for (let i = 0; i < 200 && saved.length < before + buttons.length; i++) await new Promise((done) => setTimeout(done, 20));
        for (const [name, blob] of saved.slice(before)) {
            const ending = name.split(".").pop(), text = ending === "png" ? "" : await blob.text();
            if (ending === "svg" && (/var\\(|color-mix|oklab|NaN|class=/.test(text) || new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") !== null)) faults.push("not a drawing of its own: " + name);
            if (ending === "png" && (blob.type !== "image/png" || blob.size < 1000)) faults.push("no picture: " + name);
            if (ending === "csv" && text.trim().split("\\n").length !== figure.querySelectorAll("tr").length && figure.querySelectorAll("tr").length < 100) faults.push("not the rows of the table: " + name);
        }
        if (saved.length !== before + buttons.length) faults.push("a file is missing: " + figure.textContent.slice(0, 80));
    }
    URL.createObjectURL = create;
    HTMLAnchorElement.prototype.click = click;
    return faults;
})()`;

/** What must hold in a section after that. */
const CHECK = `(() => {
    const here = document.querySelector(".section:not([hidden])");
    const faults = [];
    for (const f of here.querySelectorAll("figure")) {
        const drawing = f.querySelector(".canvas > [role=img]");
        if (drawing === null || !drawing.getAttribute("aria-label")) faults.push("a figure does not say what it shows: " + f.textContent.slice(0, 80));
        if (f.querySelector("table") === null) faults.push("a figure has no table: " + f.textContent.slice(0, 80));
    }
    if (/\\b(NaN|undefined|null|Infinity)|\\[object/.test(here.innerText)) faults.push("not for readers: " + here.innerText.match(/.{0,40}(\\b(NaN|undefined|null|Infinity)|\\[object).{0,40}/)[0]);
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");
    if (window.attacked !== undefined) faults.push("a text was run");
    if (document.scripts.length !== 2) faults.push("there is another script");
    if (document.querySelector("img, iframe, object, embed") !== null) faults.push("a text became an element");
    return faults;
})()`;

/** Numbers that the page shows, beside those of its data. */
const NUMBERS = `(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const tiles = [...document.querySelectorAll(".tile strong")].map((e) => Number(e.textContent.replace(/,/g, "")));
    const topics = data.tables.topics, kinds = topics.columns.findIndex((c) => c.name === "class");
    const listed = kinds < 0 ? topics.weights.length : topics.cells[kinds].codes.filter((c) => c === 0).length;
    const paths = data.tables.description.cells[0], values = data.tables.description.cells[3];
    const size = (name) => Number(values[paths.findIndex((path) => path.length === 1 && path[0] === name)][0]);
    const wanted = [listed, ...["training_documents", "training_tokens", "words", "draws"].map(size)];
    return { tiles, wanted };
})()`;

/** What the figures of effects claim: filled marks, signs and bold sentences; and whether the page says that they may be chance. */
const TRAINING = `(() => {
    const here = document.querySelector(".section:not([hidden])");
    const figures = [...here.querySelectorAll("figure")].filter((f) => /in the training/.test(f.querySelector("figcaption").innerText));
    const of = (selector) => figures.reduce((n, f) => n + f.querySelectorAll(selector).length, 0);
    return { filled: of('[fill="var(--positive)"], [fill="var(--negative)"]') + figures.filter((f) => /[+−]$/m.test([...f.querySelectorAll("svg text")].map((t) => t.textContent).join("\\n"))).length,
        bold: of("figcaption strong"), said: figures.length > 0 && /cannot be told from chance/.test(here.innerText) };
})()`;

const axe = [join(dirname(fileURLToPath(import.meta.url)), "../../report/node_modules/axe-core/axe.min.js")].find(existsSync);

async function checkReport(browser, report, dark) {
    const page = await browser.open(pathToFileURL(resolve(report)).href, { width: dark ? 390 : 1280, dark });
    const faults = [];
    const note = (section, text) => faults.push(`${report} ${section}: ${text}`);
    const { tiles, wanted } = await page.evaluate(NUMBERS);
    assert.deepEqual(tiles, wanted);
    if (axe !== undefined) await page.evaluate(readFileSync(axe, "utf8") + "; true");
    const sections = await page.evaluate(`[...document.querySelectorAll("nav.sections a")].map((a) => a.hash.slice(1))`);
    assert.ok(sections.length >= 3);
    for (const section of sections) {
        await page.show(section);
        if (section === "response" && report.endsWith("many.html")) // too many classes for a table of confusion
            assert.match(await page.evaluate(`document.querySelector(".section:not([hidden])").innerText`), /The most common mistake: [0-9]+ documents? of .*class [0-9]+.* taken for/);
        if (section === "response" && report.endsWith("classes.html")) // of its training, whose effects may be chance
            assert.deepEqual(await page.evaluate(TRAINING), { filled: 0, bold: 0, said: true });
        if (section === "overview" && report.endsWith("plain.html")) // the conclusion first, then what holds
            assert.match(await page.evaluate(`document.querySelector(".section:not([hidden])").innerText`), /^Overview\s+\S*\s*(Predictions|The run) .*[^]*What (holds|does not)\s+(predictions|topics): [^]*Evidence/);
        if (section === "topics" && report.endsWith("topics.html"))
            assert.match(await page.evaluate(`document.querySelector(".section:not([hidden])").innerText`), /A map of topics is left out/);
        await page.evaluate(USE_ALL);
        await page.settle();
        for (const fault of await page.evaluate(CHECK)) note(section, fault);
        for (const fault of dark ? await page.evaluate(FILES) : []) note(section, fault);
        if (axe === undefined) continue;
        const found = await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => v.id + ": " + v.nodes[0].html.slice(0, 160) + " " + (v.nodes[0].any[0]?.message ?? "")))`);
        for (const violation of found) note(section, violation);
    }
    for (const error of page.errors) note("console", error);
    const asked = page.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:"));
    assert.deepEqual(asked, [], "the page made a request");
    await page.close();
    return faults;
}

const reports = given.length > 0 ? given : makeReports();
const browser = new Browser(chromium);
try {
    const faults = [];
    for (const report of reports) {
        const inDarkToo = given.length > 0 || /(classes|levels|labels|number|groups|content|prevalence|chosen|hostile)\.html$/.test(report);
        for (const dark of inDarkToo ? [false, true] : [false]) faults.push(...(await checkReport(browser, report, dark)));
    }
    console.log(`${reports.length} reports${axe === undefined ? ", without axe-core" : ""}`);
    assert.deepEqual(faults, []);
} finally {
    await browser.close();
}
