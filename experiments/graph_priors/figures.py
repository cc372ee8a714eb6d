"""Topics over the years; the paper has no figure of results."""
FIGURES = ["trend_sotu", "trend_acl"]


def trend(plot, results, name, first_year):
    found = results.of("trend").get(name)
    if not found:
        return None
    r = found[0]
    figure, axes = plot.subplots(figsize=(6, 3.2))
    first = sum(year < first_year for year in r["years"])
    years = r["years"][first:]
    for number in (1, 2, 3):
        axes.plot(years, r[f"mean {number}"][first:], linewidth=1, label=" ".join(r[f"words {number}"].split()[:4]))
        axes.fill_between(years, r[f"q05 {number}"][first:], r[f"q95 {number}"][first:], alpha=0.25, linewidth=0)
    axes.set(xlabel="year", ylabel="expected share")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=7)
    return figure


def trend_sotu(plot, results):
    return trend(plot, results, "sotu", 1790)


def trend_acl(plot, results):
    return trend(plot, results, "acl", 1990)
