// node screenshots.mjs FOLDER REPORT...: every section of reports, light and dark, as FOLDER/NAME-SECTION-light.png, ...
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "../tests/browser/chromium.mjs";

const [folder, ...reports] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const width = Number(process.env.WIDTH ?? 1280);
const browser = new Browser(process.env.CHROMIUM ?? "chromium", [width, 900]);
try {
    for (const report of reports)
        for (const dark of [false, true]) {
            const page = await browser.open(pathToFileURL(resolve(report)).href, { width, dark });
            const sections = await page.evaluate(`[...document.querySelectorAll("nav.sections a")].map((a) => a.hash.slice(1))`);
            for (const section of sections) {
                await page.show(section);
                const file = `${basename(report, ".html")}-${section}-${dark ? "dark" : "light"}.png`;
                writeFileSync(join(folder, file), await page.screenshot());
            }
            for (const error of page.errors) console.error(`${report}: ${error}`);
            await page.close();
        }
} finally {
    await browser.close();
}
