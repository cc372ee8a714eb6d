// Texts that would do harm if they were taken for anything but texts.
export const hostile = [
    "</script><script>window.attacked=1</script>",
    "<img/src=x/onerror=window.attacked=1>",
    "<!--<script>",
    "\"'`${alert(1)}",
    "]]>&lt;&quot;&#60;",
    "\u202egnp.exe",
    "\u2067\u2066\u2069\u200f",
    "שלום",
    "javascript:alert(1)",
    "=cmd|'/c'!A1",
    "\u2028\u2029",
    "__proto__",
    "x".repeat(10000),
];

/** Documents in JSON Lines: hostile words, ids and labels, and some words that tell two classes apart. */
export function documents() {
    const lines = [];
    const word = hostile.map((t) => t.replace(/\s/g, ""));
    for (let i = 0; i < 60; i++) {
        const good = i % 2 === 0;
        const words = [good ? "good fine nice" : "bad poor awful", good ? "kind warm" : "cold harsh", word[i % word.length], word[(i + 5) % word.length]];
        lines.push(JSON.stringify({ id: hostile[i % hostile.length] + i, text: words.join(" "), label: good ? hostile[0] : hostile[5] + hostile[12], year: good ? 1 : 2 }));
    }
    return lines.join("\n") + "\n";
}
