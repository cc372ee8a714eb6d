// Whether the chains have run long enough, and agree.
import * as Plot from "@observablehq/plot";
import { clean, h, isolated, number, percent, plural, table } from "./dom";
import { figure, look } from "./figure";
import { acceptance as rates, card, nChains, quantities as known, traces, trusts, type Mixing, type Trace } from "./tables";

/** Where each chain's burn-in ended. */
function keptFrom(withDraws: Trace[], nAll: number): string {
    if (withDraws.length === 0) return "";
    const starts = [...new Set(withDraws.map((t) => t.kept))];
    const none = nAll === withDraws.length ? "" : ` ${plural(nAll - withDraws.length, "chain")} kept none.`;
    return starts.length === 1
        ? ` Draws are kept from sweep ${starts[0]} on, at the dashed line.${none}`
        : ` Draws are kept from the dashed line of each chain on: sweep ${withDraws.map((t) => `${t.kept} in chain ${t.chain}`).join(", ")}.${none}`;
}

function trace(title: string): HTMLElement {
    const all = traces.filter((t) => t.name === title);
    const points = all.flatMap((t) => t.values.map((value, i) => ({ sweep: (i + 1) * t.stride, value, chain: String(t.chain) })));
    const withDraws = all.filter((t) => t.kept > 0);
    const starts = [...new Set(withDraws.map((t) => t.kept))];
    const level = all.filter((t) => t.trend === "level").length;
    const moving = all.filter((t) => t.trend === "rising" || t.trend === "falling").length;
    const verdict = level === all.length ? "has levelled off" : moving > 0 ? `still moves in ${plural(moving, "chain")}` : "is too short to say whether it has levelled off";
    const names = all.map((t) => String(t.chain));
    return figure({
        finding: `The trace of the ${clean(title)} ${verdict}${all.length > 1 && level === all.length ? ` in all ${all.length} chains` : ""}.`,
        how: `Its value after each sweep${all.length > 1 ? ", one line for each chain" : ""}. Good traces wander about one height.${keptFrom(withDraws, all.length)}`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 240,
                marginBottom: 40,
                marginLeft: 78,
                x: { label: "sweep" },
                y: { label: null, grid: true, ticks: 5 },
                color: { domain: names, range: names.map((_, i) => `var(--c${(i % 8) + 1})`), legend: false },
                marks: [
                    starts.length === 1
                        ? Plot.ruleX(starts, { stroke: "var(--muted)", strokeDasharray: "5 4" })
                        : Plot.ruleX(withDraws, { x: "kept", stroke: (t: Trace) => String(t.chain), strokeDasharray: "5 4" }),
                    Plot.line(points, { x: "sweep", y: "value", stroke: "chain", strokeWidth: 1.4 }),
                    all.length > 1 ? Plot.text(points, Plot.selectLast({ x: "sweep", y: "value", z: "chain", text: "chain", dx: 10, fill: "var(--text)" })) : null,
                ],
            }),
        table: () => ({ columns: ["chain", "sweep", "value"], rows: points.map((p) => [p.chain, p.sweep, p.value]) }),
        class: "half",
    });
}

const RANK_BINS = 10;

/** Ranks of what the chains kept, counted in tenths of all of them. */
function ranks(title: string): HTMLElement | null {
    const all = traces.filter((t) => t.name === title);
    const kept = all.flatMap((t) => t.values.map((value, i) => ({ chain: t.chain, sweep: (i + 1) * t.stride, value })).filter((v) => v.value !== null && v.sweep > t.kept)) as { chain: number; sweep: number; value: number }[];
    const numbers = all.map((t) => t.chain);
    const n = numbers.map((c) => kept.filter((v) => v.chain === c).length);
    if (numbers.length < 2 || Math.min(...n) < 2 * RANK_BINS) return null;
    kept.sort((a, b) => a.value - b.value);
    const bins = numbers.flatMap((chain) => Array.from({ length: RANK_BINS }, (_, bin) => ({ chain, bin, n: 0, share: 0 })));
    const sum = numbers.map(() => 0);
    kept.forEach((v, rank) => {
        const c = numbers.indexOf(v.chain), bin = Math.floor((RANK_BINS * rank) / kept.length);
        bins[c * RANK_BINS + bin].n++;
        sum[c] += (rank + 0.5) / kept.length;
    });
    for (const b of bins) b.share = b.n / n[numbers.indexOf(b.chain)];
    const mean = sum.map((s, c) => s / n[c]);
    const off = mean.map((m, c) => ({ m, c })).sort((a, b) => Math.abs(b.m - 0.5) - Math.abs(a.m - 0.5))[0];
    return figure({
        finding: `Ranks of the ${clean(title)}: chain ${numbers[off.c]} is the furthest from the others, with a mean rank of ${percent(off.m)}.`,
        how: `All values that the chains kept are put in order; bars say which share of a chain's values lies in each tenth. If chains agree, all bars are near the dashed line, and mean ranks near 50 %. Chains that stay on one side have not mixed.`,
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 90 * numbers.length + 60,
                marginBottom: 40,
                marginLeft: 50,
                marginRight: 70,
                x: { type: "band", domain: Array.from({ length: RANK_BINS }, (_, b) => b), tickFormat: (b: number) => String(b + 1), label: "tenth of the ranks", tickSize: 0 },
                y: { label: "share (%)", percent: true, grid: true, ticks: 3, zero: true },
                fy: { domain: numbers, tickFormat: (c: number) => `chain ${c}`, label: null },
                marks: [
                    Plot.barY(bins, { x: "bin", y: "share", fy: "chain", fill: (b) => `var(--c${((b.chain - 1) % 8) + 1})`, insetLeft: 2, insetRight: 2, rx: 1 }),
                    Plot.ruleY([1 / RANK_BINS], { stroke: "var(--text)", strokeDasharray: "5 4" }),
                    Plot.ruleY([0], { stroke: "var(--line)" }),
                ],
            }),
        table: () => ({ columns: ["chain", ...Array.from({ length: RANK_BINS }, (_, b) => `${10 * b} to ${10 * b + 10} %`), "mean rank"], rows: numbers.map((chain, c) => [chain, ...bins.slice(c * RANK_BINS, (c + 1) * RANK_BINS).map((b) => percent(b.share)), percent(mean[c])]) }),
        class: "half",
    });
}

function quantities(): HTMLElement | null {
    const compared = known.filter((q) => q.r_hat !== null);
    if (compared.length === 0) return null;
    const bad = known.filter((q) => q.agrees === false); // an infinite R-hat has no place in the figure
    const most = Math.max(1.05, ...compared.map((q) => q.r_hat!));
    return figure({
        finding: bad.length === 0 ? "No R-hat is above what independent draws would have." : `${plural(bad.length, "quantity", "quantities")} ${bad.length === 1 ? "has" : "have"} an R-hat above what independent draws would have.`,
        how: "R-hat compares chains, or the halves of one, with each other: 1 is agreement. Crosses are above their limit.",
        draw: (width) =>
            Plot.plot({
                style: look,
                width,
                height: 24 * compared.length + 62,
                marginBottom: 40,
                marginLeft: Math.min(280, width * 0.45),
                x: { label: "R-hat", domain: [Math.min(0.99, ...compared.map((q) => q.r_hat!)), most * 1.01], grid: true },
                y: { type: "point", label: null, domain: compared.map((_, i) => i), tickFormat: (i: number) => isolated(compared[i].name, 42), tickSize: 0 },
                symbol: { domain: ["agrees", "disagrees"], range: ["circle", "times"] },
                marks: [
                    Plot.ruleX([1], { stroke: "var(--line)" }),
                    Plot.dot(compared, { x: "r_hat", y: (_, i) => i, symbol: (q: Mixing) => (q.agrees ? "agrees" : "disagrees"), stroke: (q: Mixing) => (q.agrees ? "var(--accent)" : "var(--bad)"), strokeWidth: 2.5, r: 5 }),
                ],
            }),
        table: () => ({
            columns: ["quantity", "numbers", "R-hat", "limit", "ESS bulk", "ESS tail"],
            rows: compared.map((q) => [q.name, q.numbers, q.r_hat, q.limit, q.bulk, q.tail]),
        }),
    });
}

function recurrence(): HTMLElement | null {
    const found = trusts.filter((t) => t.chains > 0), nEmpty = trusts.length - found.length;
    if (nChains < 2 || found.length === 0) return null;
    const most = nChains;
    const bins = Array.from({ length: most }, (_, i) => ({ chains: i + 1, n: found.filter((t) => t.chains === i + 1).length }));
    return figure({
        finding: `${bins[most - 1].n} of ${plural(found.length, "topic")} of chain ${card.topicsOfChain} ${bins[most - 1].n === 1 ? "recurs" : "recur"} in all ${most} chains; ${bins[0].n} in no other${nEmpty > 0 ? `; ${nEmpty} ${nEmpty === 1 ? "is" : "are"} empty` : ""}.`,
        how: "A topic that other chains find too is in the data; one that no other finds may be an accident.",
        draw: (width) =>
            Plot.plot({
                style: look,
                width: Math.min(width, 520),
                height: 220,
                marginBottom: 40,
                x: { label: "found by chains", type: "band", domain: bins.map((b) => b.chains) },
                y: { label: "topics", grid: true },
                marks: [
                    Plot.barY(bins, { x: "chains", y: "n", fill: "var(--accent)", insetLeft: 6, insetRight: 6, rx: 2 }),
                    Plot.text(bins, { x: "chains", y: "n", text: (b) => String(b.n), dy: -8, fill: "var(--text)" }),
                    Plot.ruleY([0], { stroke: "var(--line)" }),
                ],
            }),
        table: () => ({ columns: ["found by chains", "topics"], rows: bins.map((b) => [b.chains, b.n]) }),
        class: "half",
    });
}

function acceptance(): HTMLElement | null {
    if (rates.size === 0) return null;
    return h("section", {}, h("h3", {}, "Acceptance"),
        h("p", { class: "how" }, "The share of proposed topics that the sampler took. Small shares mean slow chains, not wrong ones."),
        table({ columns: ["proposals", ...[...rates.values()][0].map((_, i) => `chain ${i + 1}`)], rows: [...rates].map(([kind, values]) => [kind, ...values]) }, "Acceptance rates"));
}

export function chainsSection(): HTMLElement[] {
    const titles = [...new Set(traces.map((t) => t.name))];
    return [
        h("p", { class: "how" }, "The model is made of draws of random chains. They must have left their start behind (traces), forget where they were (effective sizes), and agree with each other (R-hat)."),
        titles.length === 0 ? h("p", {}, "The model file has no traces, so nothing says whether its chains have levelled off.") : h("div", { class: "grid" }, titles.map(trace)),
        titles.some((t) => ranks(t) !== null) ? h("div", { class: "grid" }, titles.map(ranks)) : null,
        quantities(),
        known.length > 0
            ? table(
                  {
                      columns: ["quantity", "numbers", "R-hat", "ESS bulk", "ESS tail"],
                      rows: known.map((q) => [q.name, q.numbers, number(q.r_hat, 4), number(q.bulk), number(q.tail)]),
                  },
                  "Of several numbers, the one whose R-hat is the largest",
              )
            : null,
        recurrence(),
        acceptance(),
    ].filter((e): e is HTMLElement => e !== null);
}
