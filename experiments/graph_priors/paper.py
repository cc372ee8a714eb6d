"""Gibbs sampling for logistic normal topic models with graph-based priors (Mimno, Wallach and McCallum 2008).

Its 50,000 abstracts of rexa.info are not to be had.  ACL abstracts with venues and years, and passages of the State of the Union
addresses with parties in place of venues, stand in.
"""
import collections
import csv
import importlib.util
import io
import math

from frame import ROOT, Cell, cell_text, evaluate, gibbous, mean_and_error, print_table, read_documents, write_documents

from . import settings

SIMULATES = False


def bench_priors():
    """Graphs of venues are made there."""
    spec = importlib.util.spec_from_file_location("bench_priors", ROOT / "bench/priors/run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- data ----

class Corpora:
    """One corpus of each collection, with its groups and graphs, made when first asked for."""

    def __init__(self, chosen, data, scratch):
        self.chosen, self.data, self.scratch = chosen, data, scratch
        self.made = {}

    def documents(self, name, every):
        if name == "sotu":
            kept = read_documents(self.data / "sotu/sotu_passages.jsonl.gz")[::every]
            return [{"id": d["id"], "text": d["text"], "venue": d["party"], "year": d["year"]} for d in kept]
        found = read_documents(self.data / "acl_abstracts/acl_abstracts.jsonl.gz")
        size = collections.Counter(d["venue"] for d in found)
        return [d for d in found if size[d["venue"]] >= self.chosen["acl_least"]][::every]

    def get(self, name, every=None):
        """The corpus file; its edge lists lie beside it."""
        every = every or self.chosen[f"{name}_every"]
        if (name, every) not in self.made:
            documents = self.documents(name, every)
            folder = self.scratch / f"{name}-{every}"
            folder.mkdir()
            write_documents([{"id": d["id"], "text": d["text"], "venue": d["venue"], "year": str(d["year"]), "all": "all",
                              "fold": str(i % settings.N_FOLDS + 1)} for i, d in enumerate(documents)], folder / "all.jsonl")
            gibbous("import", folder / "all.jsonl", "-o", folder / "all.gbc", "--group", "venue,year,all,fold", *settings.WORDS, "-q")
            self.write_graphs(name, documents, folder)
            self.made[name, every] = folder / "all.gbc"
        return self.made[name, every]

    def write_graphs(self, name, documents, folder):
        bench = bench_priors()
        venues = sorted({d["venue"] for d in documents})
        edges = bench.alike(documents) if name == "acl" else [(a, b) for a in venues for b in venues if a < b]
        bench.write_edges(folder / "venues.csv", edges, "venue")
        bench.write_edges(folder / "one.csv", bench.grid(documents, edges), "any")

    def graph(self, name, graph):
        """Options of the groups and their graph."""
        fields, edges = settings.GRAPHS[graph]
        folder = self.get(name).parent
        options = ["--group", ",".join(fields)]
        if edges is not None:
            options += ["--graph", {"chain": "chain", "complete": "complete", "FILE": folder / "venues.csv", "one": folder / "one.csv",
                                    "grid": f"grid:{folder / 'venues.csv'}"}[edges]]
        return options


# ---- cells ----

def model_options(chosen):
    return [*settings.MODEL, "-k", str(chosen["topics"]), *settings.SWEEPS[chosen["sweeps"]]]


def likelihood(scores):
    held_out = scores["parts"][0]["held_out"]
    return {"log_likelihood": held_out["log_likelihood"], "mc_se": held_out["mc_se"], "documents": held_out["n"],
            "tokens": held_out["n_tokens"]}


def fold_cell(seed, chosen, corpora, name, row):
    """Table 1: fold number SEED of ten held out."""
    options = [*model_options(chosen), *settings.PRIORS[row], *settings.HELD_OUT, "--held-out-samples", str(chosen["samples"])]

    def work():
        return likelihood(evaluate(corpora.get(name), "--hold-out-group", f"fold={seed}", "--seed", seed, "--threads", 1, *options))

    return Cell("table 1", f"{name}: {row}", seed, f"every {chosen[name + '_every']}; {' '.join(options)}", work)


def word_cell(seed, chosen, corpora, row):
    """Table 1: the topic in which "classification" stands first."""
    options = [*model_options(chosen), *settings.PRIORS[row]]

    def work():
        model = corpora.scratch / "model.gibbous"
        gibbous("train", corpora.get("acl"), "-m", model, "--force", "-q", "--threads", 1, "--seed", seed, *options)
        table = csv.DictReader(io.StringIO(gibbous("topics", "-m", model, "--table", "csv", "--words", 30)))
        topics = [row["words"].split() for row in table]
        topics = [words for words in topics if "classification" in words]
        best = min(topics, key=lambda words: words.index("classification"), default=["(none)"])
        return {"words": " ".join(best[:5])}

    return Cell("table 1 words", row, seed, f"every {chosen['acl_every']}; {' '.join(options)}", work)


def split_cell(seed, chosen, corpora, name, split, graph):
    """Table 2: all documents of a venue or a year held out."""
    options = [*model_options(chosen), "--prior", "graph", *settings.HELD_OUT, "--held-out-samples", str(chosen["group_samples"])]
    held_out = split.replace("party=", "venue=")

    def work():
        corpus = corpora.get(name)
        return likelihood(evaluate(corpus, *corpora.graph(name, graph), "--hold-out-group", held_out, "--seed", seed,
                                   "--threads", 1, *options))

    return Cell(f"table 2 {name}", f"{split}: {graph}", seed, f"every {chosen[name + '_every']}; {' '.join(options)}", work)


def rise(rows, some):
    """How much larger a share is in some years than in all, on average."""
    shares = [float(row["mean"]) for row in rows]
    return sum(shares[some]) / len(shares[some]) - sum(shares) / len(shares)


def trend_cell(seed, chosen, corpora, name):
    """Shares of topics over the years: for each third of the years the topic that stands out most then."""
    options = [*settings.MODEL, "-k", "30", *settings.SWEEPS[chosen["trend_sweeps"]], "--prior", "graph", "--group", "year", "--graph", "chain"]

    def work():
        model = corpora.scratch / "model.gibbous"
        gibbous("train", corpora.get(name, chosen["trend_every"]), "-m", model, "--force", "-q", "--threads", 1, "--seed", seed, *options)
        table = list(csv.DictReader(io.StringIO(gibbous("effects", "-m", model, "--kind", "groups", "--table", "csv"))))
        of_topic = collections.defaultdict(list)
        for row in table:
            of_topic[row["words"]].append(row)

        n_years = len(table) // len(of_topic)
        found = {}
        for number in (1, 2, 3):
            third = slice((number - 1) * n_years // 3, number * n_years // 3)
            words, rows = max(of_topic.items(), key=lambda item: rise(item[1], third))
            found[f"words {number}"] = words
            for column in ("mean", "q05", "q95"):
                found[f"{column} {number}"] = [round(float(row[column]), 4) for row in rows]
        found["years"] = [int(row["group"]) for row in next(iter(of_topic.values()))]
        return found

    return Cell("trend", name, seed, f"every {chosen['trend_every']}; {' '.join(options)}", work)


def cells(chosen, data, scratch):
    corpora = Corpora(chosen, data, scratch)
    found = []
    for seed in chosen["seeds"]:
        for name in ("acl", "sotu"):
            found += [fold_cell(seed, chosen, corpora, name, row) for row in settings.PRIORS]
        if seed == chosen["seeds"][0]:
            found += [word_cell(seed, chosen, corpora, row) for row in list(settings.PRIORS)[:3]]
            found += [trend_cell(seed, chosen, corpora, name) for name in ("sotu", "acl")]
        for name, splits in settings.SPLITS.items():
            found += [split_cell(seed, chosen, corpora, name, split, graph) for split in splits for graph in settings.GRAPHS
                      if name == "acl" or graph != settings.ONLY_ACL]
    return found


# ---- report ----

def differences(found, base):
    """The likelihood of each seed minus that of the base with the same seed."""
    of_seed = {r["seed"]: r["log_likelihood"] for r in base}
    return [r["log_likelihood"] - of_seed[r["seed"]] for r in found if r["seed"] in of_seed]


def likelihood_table(title, found, base, order):
    order = list(order)
    found = dict(sorted(found.items(), key=lambda item: order.index(item[0])))
    rows = [["", "per word", f"against {base.split(': ')[-1]}", "CPU s"]]
    for row, results in found.items():
        against = differences(results, found[f"{row.split(': ')[0]}: {base}"])
        cell = "" if row.endswith(base) or not against else signed(against)
        rows.append([row, cell_text((r["log_likelihood"] for r in results), 4), cell,
                     f"{mean_and_error(r['cpu_s'] for r in results)[0]:.0f}"])
    if len(rows) > 1:
        print_table(title, rows)


def signed(values):
    mean, error = mean_and_error(values)
    return f"{mean:+.4f}" + ("" if math.isnan(error) else f" ± {error:.4f}") + f" ({len(values)})"


def report(results):
    likelihood_table("table 1: mean over folds ± standard error (number of folds)", results.of("table 1"), "GibbsLDA",
                     (f"{name}: {row}" for name in settings.SPLITS for row in settings.PRIORS))
    for row, found in results.of("table 1 words").items():
        print(f"{row}: {found[0]['words']}")
    for name in settings.SPLITS:
        likelihood_table(f"table 2, {name}: mean over seeds ± standard error (number of seeds)", results.of(f"table 2 {name}"), "Single",
                         (f"{split}: {graph}" for split in settings.SPLITS[name] for graph in settings.GRAPHS))
    for name, found in results.of("trend").items():
        for number in (1, 2, 3):
            print(f"trend, {name}, {number}: {found[0][f'words {number}']}")
