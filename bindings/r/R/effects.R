# Effects: of topics and covariates on scores, and of metadata on topic shares.

effects.gibbous <- function(object, formula = NULL, topics = NULL, documents = NULL, data = NULL, ...,
                            progress = interactive()) {
    fields <- if (is.null(formula)) NULL else all.vars(formula)
    if (!is.null(documents)) return(estimated_effects(object, documents, data, list(...), progress))
    on_shares <- has_prevalence(object) && (object$facts$n_outputs == 0 || !is.null(fields))
    rows <- if (on_shares) ask(object, "prevalence-contrasts", ...) else ask(object, "effects", ...)
    if (on_shares && !is.null(fields)) {
        check_fields(fields, rows$field)
        rows <- only(rows, rows$field %in% fields)
    }
    if (!is.null(topics)) {
        names <- if (on_shares) rows$topic else ifelse(rows$kind == "topic", rows$feature, NA)
        rows <- only(rows, as.integer(sub("\\+.*", "", names)) %in% topics)
    }
    structure(rows, class = c("gibbous_effects", class(rows)))
}

check_fields <- function(fields, known) {
    unknown <- setdiff(fields, known)
    if (length(unknown) == 0L) return(invisible())
    fail(
        "the prevalence of this model has no field \"", unknown[1L], "\", only ",
        paste0("\"", unique(known), "\"", collapse = ", "), ": effects of a field that the model did not have are too",
        " small, so train with it"
    )
}

# Rows of a table with all that belongs to it.
only <- function(table, keep) {
    known <- attributes(table)
    out <- table[keep, , drop = FALSE]
    for (name in c("question", "notes", "help", "unit", "place")) attr(out, name) <- known[[name]]
    attr(out, "weight") <- known$weight[keep]
    out
}

# Effects on labelled documents that the training has not seen.
estimated_effects <- function(fit, documents, data, given, progress) {
    settings <- settings_of(with_threads(given), options_of_verbs("effects"), "effects")
    check_use(fit, settings, "estimate")
    .Call(gbr_request_fields, handle_of(fit), settings)
    found <- new_documents(fit, documents, data, settings, with_responses = TRUE)
    estimate <- .Call(gbr_estimate, handle_of(fit), found, settings, progress)
    asked <- settings_of(list(), character(), "effects")
    rows <- answer(question_row("effects"), list(model = handle_of(fit), estimate = estimate), asked)
    structure(rows, class = c("gibbous_effects", class(rows)))
}

tidy.gibbous_effects <- function(x, ...) {
    on_shares <- "minus" %in% names(x)
    if (!on_shares) x <- x[x$kind %in% c("topic", "covariate", "intercept"), ]
    term <- if (on_shares) {
        paste(x$field, x$value, "-", x$minus)
    } else {
        names <- c(topic = "topic ", covariate = "", intercept = "(Intercept)")
        paste0(x$output, ":", names[x$kind], x$feature)
    }
    data.frame(
        topic = if (on_shares) x$topic else ifelse(x$kind == "topic", x$feature, NA), term = term, estimate = x$mean,
        std.error = x$sd, conf.low = x$q05, conf.high = x$q95,
        p.direction = pmax(x$p_positive, 1 - x$p_positive)
    )
}

plot.gibbous_effects <- function(x, n = 20L, main = "", xlab = NULL, ...) {
    rows <- tidy.gibbous_effects(x)
    rows <- utils::head(rows[!is.na(rows$estimate), ], n)
    label <- if (all(is.na(rows$topic))) rows$term else ifelse(is.na(rows$topic), rows$term,
        paste0("topic ", rows$topic, if ("minus" %in% names(x)) paste0(", ", rows$term)))
    if (is.null(xlab)) xlab <- if ("minus" %in% names(x)) "difference of expected shares" else "effect on the score"
    dot_plot(rows$estimate, rows$conf.low, rows$conf.high, label, main, xlab, ...)
    invisible(rows)
}

# Estimates with their intervals below each other.
dot_plot <- function(estimate, low, high, label, main = "", xlab = "", xlim = NULL, add = FALSE, ...) {
    y <- rev(seq_along(estimate))
    if (is.null(xlim)) xlim <- range(0, estimate, low, high, na.rm = TRUE)
    if (!add) {
        old <- graphics::par(mar = c(4, 12, 3, 1))
        on.exit(graphics::par(old))
        graphics::plot(estimate, y, xlim = xlim, ylim = c(0.5, length(y) + 0.5), yaxt = "n", ylab = "", xlab = xlab,
            main = main, pch = 19, ...)
        graphics::abline(v = 0, lty = 2, col = "grey60")
        graphics::axis(2, at = y, labels = substr(label, 1L, 34L), las = 1, tick = FALSE, cex.axis = 0.7)
    } else {
        graphics::points(estimate, y, pch = 19, ...)
    }
    graphics::segments(low, y, high, y)
}
