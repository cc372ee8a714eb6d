// A browser without a window, driven over its DevTools pipe: no package is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Browser {
    constructor(program, size = [1280, 900]) {
        this.folder = mkdtempSync(join(tmpdir(), "gibbous-browser-"));
        this.process = spawn(
            program,
            [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-pipe",
                `--user-data-dir=${this.folder}`,
                `--window-size=${size.join(",")}`,
                "about:blank",
            ],
            { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
        );
        this.next = 1;
        this.waiting = new Map();
        this.listeners = [];
        let text = "";
        this.process.stdio[4].setEncoding("utf8").on("data", (chunk) => {
            const parts = (text + chunk).split("\0");
            text = parts.pop();
            for (const part of parts) this.#receive(JSON.parse(part));
        });
        this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    }

    #receive(message) {
        if (message.id === undefined) {
            for (const listener of this.listeners) listener(message);
            return;
        }
        const { resolve, reject } = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = this.next++;
        this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    }

    /** A tab that notes what goes wrong in it, and every request that it makes. */
    async open(url, { width = 1280, height = 900, dark = false } = {}) {
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId);
        for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
        await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
        await page.dark(dark);
        const loaded = page.once("Page.loadEventFired");
        await page.send("Page.navigate", { url });
        await loaded;
        await page.settle();
        return page;
    }

    async close() {
        this.process.kill();
        await this.ended;
        for (let attempt = 0; attempt < 20; attempt++) {
            try { // its helpers may still write
                rmSync(this.folder, { recursive: true, force: true });
                return;
            } catch {
                await new Promise((done) => setTimeout(done, 100));
            }
        }
    }
}

class Page {
    constructor(browser, sessionId, targetId) {
        Object.assign(this, { browser, sessionId, targetId, errors: [], requests: [], once_: [] });
        this.listener = (m) => m.sessionId === sessionId && this.#note(m);
        browser.listeners.push(this.listener);
    }

    #note({ method, params }) {
        this.once_ = this.once_.filter((w) => w.method !== method || (w.resolve(params), false));
        if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) this.errors.push(params.args.map((a) => a.value ?? a.description).join(" "));
        if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.errors.push(params.entry.text);
        if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    }

    send(method, params = {}) {
        return this.browser.send(method, params, this.sessionId);
    }

    once(method) {
        return new Promise((resolve) => this.once_.push({ method, resolve }));
    }

    /** The value of an expression in the page, a promise's when it is kept. */
    async evaluate(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    /** Until two frames have been drawn. */
    settle() {
        return this.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    }

    async show(section) {
        await this.evaluate(`location.hash = "#${section}"; true`);
        await this.settle();
    }

    dark(isDark) {
        return this.send("Emulation.setEmulatedMedia", {
            features: [
                { name: "prefers-color-scheme", value: isDark ? "dark" : "light" },
                { name: "prefers-reduced-motion", value: "reduce" }, // no picture of a colour on its way
            ],
        });
    }

    /** The whole page, however long, as PNG. */
    async screenshot(most = 6000) {
        const { cssContentSize } = await this.send("Page.getLayoutMetrics");
        const clip = { x: 0, y: 0, width: cssContentSize.width, height: Math.min(most, cssContentSize.height), scale: 1 };
        const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
        return Buffer.from(data, "base64");
    }

    async close() {
        this.browser.listeners = this.browser.listeners.filter((l) => l !== this.listener);
        await this.browser.send("Target.closeTarget", { targetId: this.targetId });
    }
}
