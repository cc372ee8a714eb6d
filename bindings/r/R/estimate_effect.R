# stm's estimateEffect() and its plots, from the model's own answers: no regression comes after the model.

estimateEffect <- function(formula, stmobj, metadata = NULL, uncertainty = c("Global", "Local", "None"),
                           documents = NULL, nsims = 25, prior = NULL) {
    call <- match.call()
    if (!missing(uncertainty) || !missing(nsims) || !is.null(prior)) {
        warn(
            "uncertainty, nsims and prior decide nothing here: intervals are those of the posterior, in which topics",
            " and effects are found together", class = "no_effect"
        )
    }
    fit <- stmobj
    if (!has_prevalence(fit)) fail("the model has no prevalence: train with prevalence = ", deparse1(formula[-2L]))
    topics <- seq_len(fit$K)
    if (length(formula) == 3L) topics <- as.integer(eval(formula[[2L]], environment(formula)))
    if (!all(topics %in% seq_len(fit$K))) fail("topics in the formula must be numbers from 1 to ", fit$K)
    rows <- suppressWarnings(ask(fit, "prevalence-contrasts"))
    fields <- all.vars(formula[[length(formula)]])
    check_fields(fields, unique(c(rows$field, names(fit$terms))))
    structure(
        class = c("gibbous_estimateEffect", "estimateEffect"),
        list(
            parameters = only(rows, rows$field %in% fields & as.integer(sub("\\+.*", "", rows$topic)) %in% topics),
            topics = topics, call = call, uncertainty = "Posterior", formula = formula, data = metadata,
            varlist = fields, model = fit
        )
    )
}

summary.gibbous_estimateEffect <- function(object, topics = object$topics, ...) {
    rows <- object$parameters
    tables <- lapply(topics, function(k) {
        of <- rows[as.integer(sub("\\+.*", "", rows$topic)) == k, ]
        structure(
            cbind(Estimate = of$mean, "Std. Error" = of$sd, "5 %" = of$q05, "95 %" = of$q95, "P(>0)" = of$p_positive),
            dimnames = list(
                paste(of$field, of$value, "-", of$minus),
                c("Estimate", "Std. Error", "5 %", "95 %", "P(>0)")
            )
        )
    })
    structure(
        list(call = object$call, topics = topics, tables = tables, notes = attr(rows, "notes")),
        class = "summary.gibbous_estimateEffect"
    )
}

print.summary.gibbous_estimateEffect <- function(x, digits = 3L, ...) {
    cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n", sep = "")
    for (i in seq_along(x$topics)) {
        cat("\nTopic ", x$topics[i], ", differences of expected shares:\n", sep = "")
        print(x$tables[[i]], digits = digits, ...)
    }
    for (note in x$notes) cat(strwrap(note, exdent = 2L), sep = "\n")
    invisible(x)
}

print.gibbous_estimateEffect <- function(x, ...) {
    print(summary(x), ...)
    invisible(x)
}

tidy.gibbous_estimateEffect <- function(x, ...) tidy.gibbous_effects(x$parameters)

# Shares at values of a field, or differences of two, as rows of the engine.
share_rows <- function(x, covariate, values, moderator, moderator.value) {
    at <- stats::setNames(list(values), covariate)
    if (!is.null(moderator)) at[[moderator]] <- moderator.value
    suppressWarnings(ask(x$model, "prevalence", at = at))
}

levels_of <- function(x, covariate) {
    data <- x$data
    values <- if (covariate %in% names(data)) data[[covariate]] else field_values(x$model, covariate)
    if (is.null(values)) fail("covariate: give metadata, or values: the model does not have those of ", covariate)
    if (is.factor(values)) return(levels(droplevels(values)))
    if (is.character(values)) return(sort(unique(values[!is.na(values)])))
    if (is.logical(values)) return(c("false", "true"))
    sort(unique(values[!is.na(values)]))
}

# The values that a field has in the documents that the model was trained on.
field_values <- function(fit, name) {
    for (field in fit$inputs$fields) {
        if (field$name == name) return(if (is.null(field$numbers)) field$class_name[field$class_of] else field$numbers)
    }
    NULL
}

# The interval: that of the engine for 90 %, else as wide as a normal law with its standard deviation.
interval_of <- function(rows, ci.level) {
    if (isTRUE(all.equal(ci.level, 0.9))) return(cbind(rows$q05, rows$q95))
    z <- stats::qnorm((1 + ci.level) / 2)
    cbind(rows$mean - z * rows$sd, rows$mean + z * rows$sd)
}

plot.gibbous_estimateEffect <- function(x, covariate, model = NULL, topics = x$topics,
                                        method = c("pointestimate", "difference", "continuous"), cov.value1 = NULL,
                                        cov.value2 = NULL, moderator = NULL, moderator.value = NULL, npoints = 25,
                                        nsims = NULL, ci.level = 0.9, xlim = NULL, ylim = NULL, xlab = "", ylab = NULL,
                                        main = "", printlegend = TRUE, labeltype = "numbers", n = 7, frexw = 0.5,
                                        add = FALSE, linecol = NULL, width = 25, verbose.labels = TRUE, family = NULL,
                                        custom.labels = NULL, omit.plot = FALSE, ...) {
    method <- match.arg(method)
    check_fields(covariate, x$varlist)
    if (!is.null(moderator)) check_fields(moderator, x$varlist)
    names <- topic_labels(x$model, topics, labeltype, n, frexw, custom.labels)
    of_topic <- function(rows, k) rows[as.integer(sub("\\+.*", "", rows$topic)) == k, ]
    if (method == "difference") {
        if (is.null(cov.value1) || is.null(cov.value2)) fail("method \"difference\" needs cov.value1 and cov.value2")
        rows <- difference_rows(x, covariate, cov.value1, cov.value2)
        parts <- lapply(topics, function(k) of_topic(rows, k))
        means <- lapply(parts, function(of) of$mean)
        cis <- lapply(parts, function(of) as.vector(interval_of(of, ci.level)))
        if (!omit.plot) {
            ends <- do.call(rbind, cis)
            dot_plot(unlist(means), ends[, 1L], ends[, 2L], names, main, xlab, xlim, add, ...)
        }
        return(invisible(list(topics = topics, means = means, cis = cis, labels = names)))
    }
    values <- levels_of(x, covariate)
    if (method == "continuous") {
        if (!is.numeric(values)) fail("method \"continuous\" needs a covariate with numbers, and ", covariate, " has none")
        values <- seq(min(values), max(values), length.out = npoints)
    }
    rows <- share_rows(x, covariate, values, moderator, moderator.value)
    parts <- lapply(topics, function(k) of_topic(rows, k))
    means <- lapply(parts, function(of) of$mean)
    cis <- lapply(parts, function(of) t(interval_of(of, ci.level)))
    if (method == "continuous") {
        if (!omit.plot) {
            curves(values, means, cis, topics, names, xlab, ylab, main, xlim, ylim, linecol, add, printlegend, ...)
        }
        return(invisible(list(x = values, topics = topics, means = means, ci = cis, labels = names)))
    }
    if (!omit.plot) {
        label <- paste0(rep(names, each = length(values)), if (verbose.labels) paste0(", ", covariate, " = "), values)
        ends <- do.call(cbind, cis)
        dot_plot(unlist(means), ends[1L, ], ends[2L, ], label, main, xlab, xlim, add, ...)
    }
    invisible(list(uvals = values, topics = topics, means = means, cis = cis, labels = names))
}

difference_rows <- function(x, covariate, plus, minus) {
    contrast <- stats::setNames(list(c(plain(plus), plain(minus))), covariate)
    suppressWarnings(ask(x$model, "prevalence-contrasts", contrast = contrast))
}

topic_labels <- function(fit, topics, labeltype, n, frexw, custom.labels) {
    if (labeltype == "custom") return(rep_len(custom.labels, length(topics)))
    if (labeltype == "numbers") return(paste("Topic", topics))
    words <- labelTopics(fit, topics, n, frexw)[[labeltype]]
    if (is.null(words)) fail("labeltype must be numbers, prob, frex, lift or custom, not ", labeltype)
    apply(words, 1L, paste, collapse = ", ")
}

# Shares along the values of a number, with their intervals as bands.
curves <- function(values, means, cis, topics, names, xlab, ylab, main, xlim, ylim, linecol, add, printlegend, ...) {
    colours <- if (is.null(linecol)) grDevices::hcl.colors(max(length(topics), 2L), "Dark 3") else linecol
    colours <- rep_len(colours, length(topics))
    if (is.null(ylim)) ylim <- range(unlist(cis), na.rm = TRUE)
    if (is.null(xlim)) xlim <- range(values)
    if (is.null(ylab)) ylab <- "Expected topic share"
    if (!add) graphics::plot(NULL, xlim = xlim, ylim = ylim, xlab = xlab, ylab = ylab, main = main, ...)
    for (i in seq_along(topics)) {
        graphics::polygon(
            c(values, rev(values)), c(cis[[i]][1L, ], rev(cis[[i]][2L, ])), border = NA,
            col = grDevices::adjustcolor(colours[i], 0.2)
        )
        graphics::lines(values, means[[i]], col = colours[i])
    }
    if (printlegend && !add) graphics::legend("topright", names, lwd = 1, col = colours, bty = "n")
}
