"""Linear time samplers for supervised topic models using compositional proposals (Zheng, Yu and Xing, KDD 2015)."""
import fits

from . import settings

SIMULATES = False


def model(topics, alpha, burn_in, draws=1):
    return [*settings.MODEL, "-k", topics, "--alpha", f"{alpha / topics:.6g}", "--burn-in", burn_in, "--sweeps", burn_in + draws]


def _binary(chosen, add):
    for k in chosen["topics"]:
        for name, sampler in settings.SAMPLERS.items():
            add("figure 1", f"{name}; K {k}",
                ["--cost", chosen["cost"], *sampler, *model(k, chosen["alpha"], chosen["burn_in"])])


def _news(chosen, add, with_rest):
    base = ["--cost", chosen["news_cost"]]
    for k in chosen["news_topics"]:
        for name, sampler in settings.SAMPLERS.items():
            add("figure 2", f"{name}, shared; K {k}", [*base, *sampler, *model(k, chosen["alpha"], chosen["news_burn_in"])])
        add("figure 2", f"gibbous, shared, 10 draws; K {k}", [*model(k, chosen["alpha"], chosen["news_burn_in"], 10), *settings.OWN])
    for k in chosen["rest_topics"] if with_rest else []:
        for name, sampler in settings.SAMPLERS.items():
            add("one-vs-rest", f"{name}, one-vs-rest; K {k}",
                [*base, *sampler, "--strategy", "one-vs-rest", *model(k, chosen["alpha"], chosen["news_burn_in"])])


def _logistic(chosen, add):
    rows = {("figure 4", k): settings.SAMPLERS for k in chosen["logistic_topics"]}
    rows |= {("logistic, causes", k): settings.LOGISTIC_CAUSES for k in chosen["logistic_cause_topics"]}
    for (part, k), samplers in rows.items():
        for name, sampler in samplers.items():
            add(part, f"{name}; K {k}", ["--response", "logistic", "--cost", chosen["logistic_cost"], *sampler,
                                         *model(k, chosen["logistic_alpha"], chosen["logistic_burn_in"])])


def _hotels(chosen, add):
    for k in chosen["hotel_topics"]:
        for name, sampler in settings.SAMPLERS.items():
            add("figure 5", f"{name}; K {k}",
                ["--response", "insensitive", "--epsilon", chosen["hotel_epsilon"], "--cost", chosen["hotel_cost"], *sampler,
                 *model(k, chosen["alpha"], chosen["hotel_burn_in"])])


def _several_labels(chosen, k, name):
    passes = ["--coefficient-steps", chosen["stories_passes"]] if name == "light" else []
    return ["--cost", chosen["news_cost"], *settings.SAMPLERS[name], *passes,
            *model(k, chosen["alpha"], chosen["stories_burn_ins"][name])]


def _stories(chosen, data, scratch, seed, adder, made):
    """Figure 3: real stories with several labels, and documents drawn from a model of them, as many as can be had."""
    name, length = f"stories of {chosen['stories_labels']} labels/{chosen['stories_every']}", chosen["drawn_length"]
    stories = fits.stories(data, scratch, chosen["stories_labels"], chosen["stories_every"])
    for k in chosen["stories_topics"]:
        for sampler in settings.SAMPLERS:
            adder(name, stories)("figure 3", f"{sampler}; K {k}", _several_labels(chosen, k, sampler))
    for half, options in {**settings.SAMPLERS, **settings.HALVES}.items():
        adder(name, stories)("halves", f"{half}; stories, K {chosen['halves_topics']}", ["--cost", chosen["news_cost"], *options,
                             *model(chosen["halves_topics"], chosen["alpha"], chosen["halves_burn_in"])])
    if seed not in chosen["drawn_seeds"]:
        return

    def drawn(n):
        return f"{n} of {length} drawn from {name}", fits.drawn_stories(stories, scratch, n, length, seed)
    for k in chosen["drawn_topics"]:
        for sampler in settings.SAMPLERS:
            adder(*drawn(chosen["drawn_documents"]))("figure 3, drawn", f"{sampler}; K {k}", _several_labels(chosen, k, sampler))
    for n in chosen["size_documents"]:
        for sampler in settings.SAMPLERS:
            options = fits.last_wins(_several_labels(chosen, chosen["size_topics"], sampler))
            at = options.index("--burn-in")
            corpus, files = drawn(n)
            made.append(fits.sweep_cell("figure 3, size", f"{sampler}; documents {n}", seed, corpus, files, scratch,
                                        options[:at] + options[at + 4:], chosen["size_sweeps"]))


def _sensitivity(chosen, add):
    def light(part, row, k, *options):
        add(part, row, ["--cost", chosen["news_cost"], *settings.LIGHT, *model(k, chosen["alpha"], chosen["news_burn_in"]), *options])
    for half, options in settings.HALVES.items():
        add("halves, news", f"{half}; K {chosen['halves_news_topics']}", ["--cost", chosen["news_cost"], *options,
            *model(chosen["halves_news_topics"], chosen["alpha"], chosen["halves_burn_in"])])
    for k in chosen["composition_topics"]:
        for name, options in settings.COMPOSITIONS.items():
            light("figure 6", f"{name}; K {k}", k, *options)
    for k in chosen["steps_topics"]:
        for steps in chosen["steps"]:
            light("figure 7", f"K {k}; steps {steps}", k, "--mh-steps", steps)
    for k in chosen["passes_topics"]:
        for passes in chosen["passes"]:
            light("figure 8", f"K {k}; passes {passes}", k, "--coefficient-steps", passes)


def _more(chosen, add):
    """Time per token over many topics, and sweeps against accuracy of both samplers: not in the paper."""
    for k in chosen["many_topics"]:
        for name, sampler in settings.SAMPLERS.items():
            if name == "light" or k <= 1000:
                add("time over topics", f"{name}; K {k}",
                    ["--cost", chosen["news_cost"], *sampler, *model(k, chosen["alpha"], chosen["many_burn_in"])])
    for m in chosen["convergence"]:
        for name, sampler in settings.SAMPLERS.items():
            k = chosen["convergence_topics"]
            add("convergence", f"{name}; M {m}", ["--cost", chosen["news_cost"], *sampler, *model(k, chosen["alpha"], m)])


def _cells_of_seed(chosen, data, scratch, seed, binary, news):
    made = []
    adder = fits.adder(made, seed, scratch, settings.INFER)
    add_news = adder(f"news/{chosen['news_every']}", news)
    _binary(chosen, adder(f"binary/{chosen['every']}", binary))
    _hotels(chosen, adder(f"hotels/{chosen['every']}", fits.hotels(data, scratch, seed, chosen["every"])))
    _stories(chosen, data, scratch, seed, adder, made)
    _sensitivity(chosen, add_news)
    _logistic(chosen, add_news)
    _more(chosen, add_news)
    _news(chosen, add_news, seed in chosen["rest_seeds"])
    return made


def cells(chosen, data, scratch):
    return fits.cells_of_seeds(chosen, data, scratch, _cells_of_seed)


def report(results):
    scores = {"accuracy": 3, "train_s": 2}
    accepted = {"accepted_doc": 3, "accepted_word": 3, "accepted_exp": 3}
    fits.print_curves(results, "figure 1", "two newsgroups", scores)
    fits.print_curves(results, ("figure 2", "one-vs-rest"), "20 newsgroups", scores)
    labels = {"micro_f1": 3, "macro_f1": 3, "train_s": 1}
    fits.print_curves(results, "figure 3", "stories with several labels", labels)
    fits.print_curves(results, "halves", "stories: steps for tokens and for coefficients apart", {"micro_f1": 3, "train_s": 1})
    fits.print_curves(results, "halves, news", "20 newsgroups: the same", {"accuracy": 3, "train_s": 1})
    fits.print_curves(results, "figure 3, drawn", "documents drawn from a model of the stories", labels)
    fits.print_curves(results, "figure 3, size", "a sweep over documents drawn", {"sweep_ms": 0})
    fits.print_curves(results, "figure 4", "20 newsgroups, logistic response", scores)
    fits.print_curves(results, "logistic, causes", "20 newsgroups, logistic response: steps and coefficients apart", scores)
    fits.print_curves(results, "figure 5", "hotel reviews", {"r2": 3, "train_s": 2})
    fits.print_curves(results, "figure 6", "proposals", scores | accepted)
    fits.print_curves(results, "figure 7", "steps for each token", scores)
    fits.print_curves(results, "figure 8", "passes over the coefficients", scores)
    fits.print_curves(results, "time over topics", "5 sweeps of 20 newsgroups", {"train_s": 2} | accepted)
    fits.print_curves(results, "convergence", "sweeps, 100 topics", scores)
