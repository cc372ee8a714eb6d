// node build.mjs SOURCE FOLDER OUTPUT: bundle the page of SOURCE with the packages of FOLDER, and write it as a C file.  The notices
// that their licences ask for are in the page, and in report_notices.txt beside OUTPUT.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const [source, folder, output] = process.argv.slice(2);
const packages = join(folder, "node_modules");
let esbuild;
try {
    esbuild = createRequire(join(folder, "package.json"))("esbuild");
    esbuild.transformSync("");
} catch { // not made for this machine, or for this version of Node
    process.exit(3);
}

const inputs = new Set();
async function bundle(file, options) {
    const result = await esbuild.build({
        entryPoints: [join(source, "src", file)],
        bundle: true,
        minify: true,
        write: false,
        charset: "utf8",
        legalComments: "none",
        nodePaths: [packages],
        metafile: true,
        logLevel: "silent",
        ...options,
    });
    for (const input of Object.values(result.metafile.outputs)) Object.keys(input.inputs).forEach((name) => inputs.add(name));
    return result.outputFiles[0].text.trim();
}

// "d3-array 3.2.4, d3-axis 3.0.0: the text of their licence", of every package with a file in the bundle.
function notices() {
    const users = new Map();
    const names = [...inputs].map((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(name)?.[1]);
    for (const name of [...new Set(names.filter(Boolean))].sort()) {
        const of = join(packages, name);
        const file = readdirSync(of).find((f) => /^licen[cs]e/i.test(f));
        if (file === undefined) throw new Error(`${name} has no licence`);
        const text = readFileSync(join(of, file), "utf8").trim();
        const version = JSON.parse(readFileSync(join(of, "package.json"), "utf8")).version;
        users.set(text, [...(users.get(text) ?? []), `${name} ${version}`]);
    }
    return [...users].map(([text, who]) => `${who.join(", ")}\n\n${text}\n`).join("\n\n");
}

const script = await bundle("main.ts", { format: "iife", target: "es2020", banner: { js: '"use strict";' } });
const style = await bundle("style.css", {});
if (script.includes("</script") || style.includes("</style"))
    throw new Error("the bundle would end its own element");
// Only this script runs, and nothing is fetched.
const hash = createHash("sha256").update(script).digest("base64");
const contained = `This page contains these packages:\n\n${notices()}`;
writeFileSync(join(dirname(output), "report_notices.txt"), contained.replace("This page", "The page of gibbous report"));
const page = readFileSync(join(source, "src", "page.html"), "utf8")
    .replace("SCRIPT_HASH", hash)
    .replace("STYLE_TEXT", () => style)
    .replace("SCRIPT_TEXT", () => script)
    .replace("NOTICES_TEXT", () => contained.replaceAll("--", "- -"));
const [before, after] = page.split("DATA_TEXT");
if (after === undefined)
    throw new Error("page.html needs one DATA_TEXT");

function array(name, text) {
    const lines = Array.from(Buffer.from(text), String).join(",").replace(/(.{110}\d*),/g, "$1,\n");
    return `static const unsigned char ${name}[] = {\n${lines}};\n`;
}

writeFileSync(
    output,
    "/* made by report/build.mjs */\n" +
        '#include "report_page.h"\n\n' +
        array("before", before) +
        array("after", after) +
        "const gb_report_parts gb_report_page = {\n" +
        '    .missing = "", .before = before, .after = after, .n_before = sizeof before, .n_after = sizeof after};\n',
);
