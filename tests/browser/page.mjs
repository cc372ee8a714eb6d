// node page.mjs GIBBOUS: a report is one whole page that forbids all but its own script, whatever the words, ids and labels are.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { spawnSync } from "node:child_process";
import { documents, hostile } from "./hostile.mjs";

const program = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "gibbous-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function gibbous(...args) {
    return spawnSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
}

function must(...args) {
    const run = gibbous(...args);
    assert.equal(run.status, 0, run.stderr);
}

function dataOf(page) {
    return JSON.parse(page.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1]);
}

/** The cells of a column of an answer. */
function cellsOf(answer, name) {
    const cells = answer.cells[answer.columns.findIndex((c) => c.name === name)];
    return Array.isArray(cells) ? cells : cells.codes.map((c) => (c === null ? "" : cells.levels[c]));
}

writeFileSync(join(folder, "d.jsonl"), documents());
must("train", "d.jsonl", "--label", "label", "--token-pattern", "\\S+", "--no-lowercase", "-k", "3", "--sweeps", "40", "--seed", "1", "--response", "logistic", "-q", "-m", "m.gibbous");
// names of topics as hostile as the words
const quoted = (text) => `"${text.replace(/"/g, '""')}"`;
writeFileSync(join(folder, "names.csv"), `topic,name\n1,${quoted(hostile[0])}\n2,${quoted(hostile[3])}\n3,${quoted(hostile[5])}\n`);
must("edit", "-m", "m.gibbous", "--names", "names.csv", "-o", "named.gibbous", "-q");
renameSync(join(folder, "named.gibbous"), join(folder, "m.gibbous"));
const first = gibbous("report", "d.jsonl", "-m", "m.gibbous", "-q", "-o", "r.html");
if (first.stderr.includes("built without the page")) {
    console.log(`skipped: ${first.stderr}`);
    process.exit(77);
}
assert.equal(first.status, 0, first.stderr);
const page = readFileSync(join(folder, "r.html"), "utf8");

// one document, two script elements: the data and the code
assert.ok(page.startsWith("<!doctype html>\n<html lang=\"en\">") && page.endsWith("</html>\n"));
assert.equal(page.match(/<script/g).length, 2);
assert.equal(page.match(/<\/script/g).length, 2);

// the policy allows one script by its hash, and no request
const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
const script = page.match(/<script>(.*)<\/script>/s)[1];
const hash = createHash("sha256").update(script).digest("base64");
assert.deepEqual(policy.split("; "), ["default-src 'none'", `script-src 'sha256-${hash}'`, "style-src 'unsafe-inline'", "img-src blob:", "base-uri 'none'", "form-action 'none'"]);
assert.ok(page.indexOf("Content-Security-Policy") < page.indexOf("<style"));
const markup = page.replace(/<script.*?<\/script>/gs, "").replace(/<style>.*?<\/style>/s, "");
assert.ok(!/\s(src|href|on\w+)=/i.test(markup), "the markup refers to something");
assert.ok(!/@import|url\(/.test(page.match(/<style>(.*?)<\/style>/s)[1]), "the style refers to something");

// hostile texts are in the data as they are, and nowhere else
const text = page.match(/id="data">(.*?)<\/script>/s)[1];
assert.ok(!/[<>&]/.test(text));
const data = dataOf(page);
const words = new Set(cellsOf(data.tables["topic-words"], "word"));
for (const i of [0, 1, 2, 3, 4, 7, 8, 9, 11, 12]) assert.ok(words.has(hostile[i].replace(/\s/g, "")), `a word is missing: ${hostile[i].slice(0, 40)}`);
assert.deepEqual(cellsOf(data.tables.topics, "name"), [hostile[0], hostile[3], hostile[5]]);
assert.ok(data.tables.description.cells[3].some((values) => values.includes(hostile[0])));
assert.ok(!page.replace(script, "").includes("window.attacked=1</script>"));

// numbers of the page are those of the other verbs
const topics = gibbous("topics", "-m", "m.gibbous", "--table", "jsonl").stdout.trim().split("\n").map((l) => JSON.parse(l));
assert.deepEqual(cellsOf(data.tables.topics, "share"), topics.map((t) => t.share));
assert.deepEqual(cellsOf(data.tables.topics, "classes"), topics.map((t) => t.classes));
assert.equal(data.affinities[0].length, 3);
const effects = gibbous("effects", "-m", "m.gibbous", "--table", "jsonl").stdout.trim().split("\n").map((l) => JSON.parse(l));
const shown = data.tables.effects;
for (const [c, column] of shown.columns.entries())
    effects.forEach((e, i) => {
        const cells = shown.cells[c], value = Array.isArray(cells) ? cells[i] : cells.codes[i] === null ? "" : cells.levels[cells.codes[i]];
        assert.deepEqual(value, e[column.name], `${column.name} of row ${i}`);
    });

const verdict = JSON.parse(gibbous("diagnose", "-m", "m.gibbous", "--json", "-q").stdout).verdict;
for (const name of ["about", "text"]) assert.deepEqual(cellsOf(data.tables.verdict, name), verdict.map((j) => j[name]));

// the parts of a score add up to it, and the score is that of predict
const scores = gibbous("predict", "d.jsonl", "-m", "m.gibbous", "--scores", "--table", "jsonl").stdout.trim().split("\n").map((l) => JSON.parse(l));
data.documents.docs.forEach((d, i) => {
    const w = d.why[0];
    const sum = w.parts.reduce((all, [, , part]) => all + part, 0);
    assert.ok(Math.abs(sum - w.score) < 1e-3 * (1 + Math.abs(w.score)), `${sum} is not ${w.score}`);
    assert.ok(Math.abs(w.score - scores[i].score) < 1e-6 * (1 + Math.abs(w.score)));
});

// topics that count as one are one topic, and one that is left out is nowhere; its part of a score is among the others
const marked = (docs) => new Set(docs.flatMap((d) => (d.text ?? []).filter((k) => typeof k === "number" && k >= 0)));
must("edit", "-m", "m.gibbous", "--merge", "1+3", "--drop", "2", "-o", "united.gibbous", "-q");
const united = dataOf(gibbous("report", "d.jsonl", "-m", "united.gibbous", "-q").stdout);
assert.deepEqual(cellsOf(united.tables.topics, "topic"), ["1+3"]);
assert.deepEqual(new Set(cellsOf(united.tables["topic-words"], "topic")), new Set(["1+3"]));
assert.deepEqual(cellsOf(united.tables.effects, "feature").filter((_, i) => cellsOf(united.tables.effects, "kind")[i] === "topic"), ["1+3"]);
assert.deepEqual(united.affinities, []);
assert.deepEqual(marked(data.documents.docs), new Set([0, 1, 2]));
assert.deepEqual(marked(united.documents.docs), new Set([0]));
united.documents.docs.forEach((d, i) => {
    const before = Object.fromEntries(data.documents.docs[i].topics), why = d.why[0];
    assert.ok(d.topics.every(([k, share]) => k === 0 && share >= Math.max(before[0] ?? 0, before[2] ?? 0) - 2e-3));
    const sum = why.parts.reduce((all, [, , part]) => all + part, 0);
    assert.ok(why.parts.every(([kind, feature]) => kind !== "topic" || feature === "1+3") && Math.abs(sum - why.score) < 1e-3 * (1 + Math.abs(why.score)));
});

// differences of groups are those of effects
const years = Array.from({ length: 60 }, (_, i) => JSON.stringify({ text: i % 3 === 0 || i > 40 ? "goal match team" : "court law judge", year: 2000 + Math.floor(i / 20) }));
writeFileSync(join(folder, "y.jsonl"), years.join("\n"));
must("train", "y.jsonl", "--response", "none", "--prior", "graph", "--group", "year", "--graph", "chain", "-k", "2", "--sweeps", "40", "--seed", "1", "-q", "-m", "y.gibbous");
const differences = dataOf(gibbous("report", "-m", "y.gibbous", "-q").stdout).tables["group-contrasts"];
const of = (name) => cellsOf(differences, name);
const pairs = of("group").map((group, i) => `${group},${of("minus")[i]}`);
assert.deepEqual([...new Set(pairs)], ["2001,2000", "2002,2000", "2002,2001"]);
for (const pair of new Set(pairs)) {
    const rows = gibbous("effects", "-m", "y.gibbous", "--contrast", pair, "--table", "jsonl").stdout.trim().split("\n").map((l) => JSON.parse(l));
    const mine = pairs.flatMap((p, i) => (p === pair ? [i] : []));
    assert.equal(rows.length, mine.length);
    for (const name of ["topic", "mean", "q05", "q95"]) assert.deepEqual(mine.map((i) => of(name)[i]), rows.map((row) => row[name]));
}

// topic shares by metadata are those of effects and ask; models without a formula say nothing of them
assert.ok(!("prevalence" in data.tables) && !("prevalence-contrasts" in data.tables));
const posts = Array.from({ length: 60 }, (_, i) => JSON.stringify({ text: i % 3 === 0 || i > 40 ? "goal match team" : "court law judge", party: i % 2 === 0 ? "A" : "B", year: 1990 + (i % 7) }));
writeFileSync(join(folder, "p.jsonl"), posts.join("\n"));
must("train", "p.jsonl", "--prior", "logistic-normal", "--prevalence", "party * s(year, df=4)", "-k", "2", "--sweeps", "60", "--seed", "1", "-q", "-m", "p.gibbous");
const byMetadata = dataOf(gibbous("report", "-m", "p.gibbous", "-q").stdout).tables;
for (const question of ["prevalence", "prevalence-contrasts"]) {
    const rows = gibbous("ask", question, "-m", "p.gibbous", "--table", "jsonl", "-q").stdout.trim().split("\n").map((l) => JSON.parse(l));
    for (const { name } of byMetadata[question].columns) assert.deepEqual(cellsOf(byMetadata[question], name).map((v) => v ?? ""), rows.map((row) => row[name] ?? ""), `${question}: ${name}`);
}
const at = gibbous("effects", "p.gibbous", "--at", "year=1990,1996", "--at", "party=A,B", "--table", "jsonl", "-q").stdout.trim().split("\n").map((l) => JSON.parse(l));
const lineEnds = (name) => cellsOf(byMetadata.prevalence, name).filter((_, i) => cellsOf(byMetadata.prevalence, "by_field")[i] === "party" && [1990, 1996].includes(cellsOf(byMetadata.prevalence, "number")[i]));
for (const name of ["topic", "by_value", "mean", "q05", "q95"]) assert.deepEqual(lineEnds(name), at.map((row) => row[name]), name);

// what select has printed is in the page; what it has not is refused
const tried = gibbous("select", "d.jsonl", "--label", "label", "--token-pattern", "\\S+", "-k", "2,3", "--folds", "2", "--sweeps", "10", "--seed", "1", "--json", "-q").stdout;
writeFileSync(join(folder, "tried.json"), tried);
const chosen = dataOf(gibbous("report", "-m", "m.gibbous", "--selection", "tried.json", "-q").stdout).selection;
const printed = JSON.parse(tried);
assert.deepEqual(chosen, printed);
const [row] = printed["selection-scores"], { divisor, ...incomplete } = row;
for (const [wrong, text] of [
    ["{", "wrong.json:1: "],
    ["[]", "rows of"],
    [JSON.stringify({ ...printed, notes: [] }), "notes are needed"],
    [JSON.stringify({ ...printed, selection: [] }), "rows of"],
    [JSON.stringify({ ...printed, "selection-scores": [incomplete] }), "rows of"],
    [JSON.stringify({ ...printed, "selection-scores": [{ ...row, value: [1] }] }), "rows of"],
]) {
    writeFileSync(join(folder, "wrong.json"), wrong);
    const run = gibbous("report", "-m", "m.gibbous", "--selection", "wrong.json", "-q");
    assert.equal(run.status, 3, wrong);
    assert.ok(run.stderr.includes(text), run.stderr);
    assert.equal(run.stdout, "");
}

// whole or not at all: an existing file stays, and no other file is left
const before = readdirSync(folder).sort().join();
assert.equal(gibbous("report", "-m", "m.gibbous", "-o", "r.html").status, 2);
assert.equal(readFileSync(join(folder, "r.html"), "utf8"), page);
assert.equal(gibbous("report", "-m", "m.gibbous", "-o", "m.gibbous", "--force").status, 2);
assert.equal(gibbous("report", "-m", "m.gibbous", "-o", "nowhere/r.html").status !== 0, true);
assert.equal(readdirSync(folder).sort().join(), before);

// the same page again, byte for byte, also on standard output
must("report", "d.jsonl", "-m", "m.gibbous", "-q", "-o", "again.html");
assert.equal(readFileSync(join(folder, "again.html"), "utf8"), page);
assert.equal(gibbous("report", "d.jsonl", "-m", "m.gibbous", "-q").stdout, page);
assert.ok(existsSync(join(folder, "r.html")));
