// node pictures.mjs FOLDER REPORT: the pictures of README.md, made of the report of ./demo:
//   ./demo && node report/pictures.mjs docs/pictures demo-run/report.html
// Needs Chromium and pngquant, which makes the files small.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../tests/browser/chromium.mjs";

const [folder, report] = process.argv.slice(2);
const MOST_BYTES = 200_000;

/** What to do in a section, the element that is taken (else the page from its top), and its height at most. */
const PICTURES = [
    { file: "report-verdict.png", section: "overview", element: `document.querySelector(".verdict")`, height: 600 },
    {
        file: "report-topics.png",
        section: "topics",
        before: `[...document.querySelectorAll(".topic-words")].find((e) => /\\bgames?\\b/.test(e.textContent))?.closest("button").click()`,
        element: `document.querySelector(".section:not([hidden]) .split")`,
        height: 880,
    },
    {
        file: "report-documents.png",
        section: "documents",
        before: `document.querySelector(".section:not([hidden]) tbody tr:nth-child(4) button").click()`,
        element: `document.querySelector(".section:not([hidden]) .documents")`,
        height: 1000,
    },
];

function small(png) {
    const run = spawnSync("pngquant", ["--speed", "1", "--strip", "64", "-"], { input: png, maxBuffer: 1 << 26 });
    if (run.error) throw new Error("pngquant is not there (Debian: pngquant)");
    if (run.status !== 0) throw new Error(`pngquant: ${run.stderr}`);
    return run.stdout;
}

mkdirSync(folder, { recursive: true });
const browser = new Browser(process.env.CHROMIUM ?? "chromium", [1120, 900]);
try {
    const page = await browser.open(pathToFileURL(resolve(report)).href, { width: 1120, height: 1400 });
    for (const picture of PICTURES) {
        await page.show(picture.section);
        if (picture.before) await page.evaluate(`${picture.before}; document.activeElement?.blur(); scrollTo(0, 0); true`);
        await page.settle();
        const clip = await page.evaluate(`(() => {
            const box = (${picture.element ?? 'document.getElementById("page")'}).getBoundingClientRect();
            return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: Math.min(box.height, ${picture.height}), scale: 1 };
        })()`);
        const { data } = await page.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
        const png = small(Buffer.from(data, "base64"));
        if (png.length > MOST_BYTES) throw new Error(`${picture.file} has ${png.length} bytes`);
        writeFileSync(join(folder, picture.file), png);
        console.log(`${picture.file}  ${png.length} bytes`);
    }
    await page.close();
} finally {
    await browser.close();
}
