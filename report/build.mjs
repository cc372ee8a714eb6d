// node build.mjs SOURCE FOLDER OUTPUT: bundle the page of SOURCE with the packages of FOLDER, and write it as a C file.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [source, folder, output] = process.argv.slice(2);
const packages = join(folder, "node_modules");
let esbuild;
try {
    esbuild = createRequire(join(folder, "package.json"))("esbuild");
    esbuild.transformSync("");
} catch { // not made for this machine, or for this version of Node
    process.exit(3);
}

async function bundle(file, options) {
    const result = await esbuild.build({
        entryPoints: [join(source, "src", file)],
        bundle: true,
        minify: true,
        write: false,
        charset: "utf8",
        legalComments: "none",
        nodePaths: [packages],
        logLevel: "silent",
        ...options,
    });
    return result.outputFiles[0].text.trim();
}

const script = await bundle("main.ts", { format: "iife", target: "es2020", banner: { js: '"use strict";' } });
const style = await bundle("style.css", {});
if (script.includes("</script") || style.includes("</style"))
    throw new Error("the bundle would end its own element");
// Only this script runs, and nothing is fetched.
const hash = createHash("sha256").update(script).digest("base64");
const page = readFileSync(join(source, "src", "page.html"), "utf8")
    .replace("SCRIPT_HASH", hash)
    .replace("STYLE_TEXT", () => style)
    .replace("SCRIPT_TEXT", () => script);
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
