# What R asks of any model.

print.gibbous <- function(x, n = 6L, ...) {
    facts <- x$facts
    cat(sprintf(
        "gibbous: %d topics, %s words, %s documents, %d draws of %d %s\n", x$K, format(facts$n_words, big.mark = ","),
        format(facts$n_docs, big.mark = ","), as.integer(facts$n_draws), as.integer(facts$n_chains),
        if (facts$n_chains == 1) "chain" else "chains"
    ))
    for (response in facts$responses) {
        cat(sprintf("predicts %s: %s, %s\n", response$field, response$task, response$law))
    }
    prevalence <- settings_of_fit(x)$prevalence
    if (length(prevalence) > 0L && nzchar(prevalence[[1L]])) cat("prevalence: ~", prevalence[[1L]], "\n")
    topics <- suppressWarnings(ask(x, "topics", words = 6L))
    shown <- utils::head(topics, n)
    cat(sprintf(
        "  topic %s (%.1f %%): %s\n", shown$topic, 100 * shown$share,
        vapply(shown$words, paste, "", collapse = " ")
    ), sep = "")
    if (nrow(topics) > n) cat("  and", nrow(topics) - n, "more: summary() has all\n")
    verdict <- suppressWarnings(ask(x, "verdict"))
    cat(strwrap(verdict$text[1L], exdent = 2L), sep = "\n")
    invisible(x)
}

summary.gibbous <- function(object, ...) {
    fit <- object
    out <- list(call = fit$call, topics = suppressWarnings(ask(fit, "topics")))
    if (fit$facts$n_outputs > 0) out$effects <- suppressWarnings(ask(fit, "effects"))
    if (has_prevalence(fit)) out$prevalence <- suppressWarnings(ask(fit, "prevalence-contrasts"))
    out$verdict <- suppressWarnings(ask(fit, "verdict"))
    structure(out, class = "summary.gibbous")
}

print.summary.gibbous <- function(x, ...) {
    heads <- c(topics = "Topics", effects = "Effects on scores", prevalence = "Effects on topic shares",
        verdict = "What holds")
    if (!is.null(x$call)) cat("Call:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
    for (part in intersect(names(heads), names(x))) {
        cat(heads[[part]], ":\n", sep = "")
        print(x[[part]], ...)
        cat("\n")
    }
    invisible(x)
}

has_prevalence <- function(fit) {
    check_fit(fit)
    prevalence <- settings_of_fit(fit)$prevalence
    length(prevalence) > 0L && nzchar(prevalence[[1L]])
}

nobs.gibbous <- function(object, ...) as.integer(object$facts$n_docs)

# ---- predictions ----

predict.gibbous <- function(object, newdata = NULL, data = NULL,
                            type = c("response", "class", "probability", "topics", "score", "table"), ...,
                            vocab = NULL, embeddings = NULL, progress = interactive()) {
    type <- match.arg(type)
    settings <- apply_settings(object, list(...), "predict", "predict", "predict")
    found <- new_documents(object, newdata, data, settings, vocab, embeddings = embeddings)
    if (type == "table") {
        return(ask(object, "predictions", structure(found, class = "gibbous_documents"), ..., progress = progress))
    }
    topics <- paste0("topic", seq_len(object$K))
    if (type == "topics") {
        share <- .Call(gbr_infer, handle_of(object), found, settings, progress)
        return(structure(share, dimnames = list(NULL, topics)))
    }
    if (object$facts$n_outputs == 0) fail("the model has no response: predict(type = \"topics\") gives topic shares")
    prediction <- .Call(gbr_predict, handle_of(object), found, settings, progress)
    values <- .Call(gbr_prediction_values, handle_of(object), prediction)
    if (type == "score") return(structure(values$score, dimnames = list(NULL, object$facts$outputs)))
    out <- Map(function(of, response) predicted_values(of, response, type), values$responses, object$facts$responses)
    names(out) <- vapply(object$facts$responses, function(r) r$field, "")
    if (length(out) == 1L) out[[1L]] else out
}

training_documents_of <- function(fit) structure(training_documents(fit), class = "gibbous_documents")

predicted_values <- function(of, response, type) {
    if (response$task == "regression") {
        if (type != "response") fail(response$field, " is a number: type = \"response\" gives its mean")
        return(of$mean)
    }
    if (type == "probability") return(structure(of$probability, dimnames = list(NULL, response$classes)))
    if (response$task == "multilabel") return(structure(of$several, dimnames = list(NULL, response$classes)))
    factor(response$classes[of$predicted + 1L], response$classes, ordered = response$task == "ordinal")
}

fitted.gibbous <- function(object, ...) stats::predict(object, ...)

# Topic shares of the documents of the training, found once.
theta_of <- function(fit) {
    if (is.null(fit$engine$theta)) fit$engine$theta <- stats::predict(fit, type = "topics", progress = FALSE)
    fit$engine$theta
}

logLik.gibbous <- function(object, documents = NULL, data = NULL, ...) {
    if (is.null(documents)) documents <- training_documents_of(object)
    rows <- suppressWarnings(ask(object, "likelihood", documents, data, ...))
    structure(
        sum(rows$log_likelihood, na.rm = TRUE), df = NA_integer_, nobs = nrow(rows),
        se = sqrt(sum(rows$standard_error^2, na.rm = TRUE)), class = "logLik"
    )
}

simulate.gibbous <- function(object, nsim = 1, seed = NULL, ...) {
    lapply(seq_len(nsim), function(i) {
        given <- list(...)
        given$seed <- if (!is.null(seed)) seed + i - 1
        settings <- choose_seed(settings_of(given, options_of_verbs("simulate"), "simulate"))
        corpus <- .Call(gbr_simulate, handle_of(object), settings)
        facts <- .Call(gbr_corpus_facts, corpus)
        tokens <- .Call(gbr_corpus_tokens, corpus)
        document <- rep(seq_len(facts$n_docs), diff(tokens$start))
        Matrix::sparseMatrix(
            i = document, j = tokens$word, x = rep(1, length(document)), dims = c(facts$n_docs, facts$n_words),
            dimnames = list(facts$ids, facts$vocabulary)
        )
    })
}

# ---- coefficients ----

output_draws <- function(fit) {
    if (fit$facts$n_outputs == 0) fail("the model has no response, and so no coefficients")
    out <- lapply(seq_along(fit$facts$outputs), function(o) .Call(gbr_effect_draws, handle_of(fit), o - 1))
    stats::setNames(out, fit$facts$outputs)
}

# Coefficients of several scores have the name of the score before theirs.
joined_draws <- function(fit) {
    draws <- output_draws(fit)
    if (length(draws) == 1L) return(draws[[1L]])
    do.call(cbind, Map(function(d, name) {
        colnames(d) <- paste0(name, ":", colnames(d))
        d
    }, draws, names(draws)))
}

coef.gibbous <- function(object, ...) colMeans(joined_draws(object), na.rm = TRUE)

vcov.gibbous <- function(object, ...) {
    if (object$facts$n_folds == 0) {
        warn(
            "labels shaped the topics of this training: the covariance of its draws says less than the uncertainty of",
            " effects on other documents, which effects(documents = ) and the option cross_fit estimate"
        )
    }
    stats::cov(joined_draws(object), use = "pairwise.complete.obs")
}

# ---- broom and posterior ----

tidy.gibbous <- function(x, matrix = c("beta", "gamma", "theta", "frex", "lift", "effects", "prevalence"), ...) {
    matrix <- match.arg(matrix)
    words <- vocabulary(x)
    ranked <- function(by) {
        found <- .Call(gbr_rank_words, handle_of(x), by, NA_real_, length(words))
        data.frame(topic = rep(seq_len(x$K), each = ncol(found)), term = as.vector(t(found)))
    }
    switch(matrix,
        beta = {
            beta <- .Call(gbr_topic_distributions, handle_of(x))
            data.frame(topic = rep(seq_len(x$K), times = length(words)), term = rep(words, each = x$K),
                beta = as.vector(beta))
        },
        gamma = , theta = {
            theta <- theta_of(x)
            data.frame(document = rep(seq_len(nrow(theta)), times = x$K), topic = rep(seq_len(x$K), each = nrow(theta)),
                gamma = as.vector(theta))
        },
        frex = ranked("frex"),
        lift = ranked("lift"),
        tidy.gibbous_effects(effects.gibbous(x, ...))
    )
}

glance.gibbous <- function(x, ...) {
    verdict <- suppressWarnings(ask(x, "verdict"))
    data.frame(
        k = x$K, docs = as.integer(x$facts$n_docs), terms = as.integer(x$facts$n_words),
        draws = as.integer(x$facts$n_draws), chains = as.integer(x$facts$n_chains), seed = x$facts$seed,
        settled = verdict$holds[1L]
    )
}

augment.gibbous <- function(x, data = NULL, newdata = NULL, ...) {
    shares <- if (is.null(newdata)) theta_of(x) else stats::predict(x, newdata, data, type = "topics", ...)
    out <- if (is.null(data)) data.frame(row.names = seq_len(nrow(shares))) else as.data.frame(data)
    out$.topic <- max.col(shares, ties.method = "first")
    out$.share <- shares[cbind(seq_len(nrow(shares)), out$.topic)]
    if (x$facts$n_outputs > 0) {
        fitted <- stats::predict(x, newdata, data, type = "response", ...)
        several <- is.list(fitted) && !is.data.frame(fitted)
        for (name in if (several) names(fitted) else "") {
            out[[paste0(".fitted", if (nzchar(name)) paste0("_", name))]] <- if (several) fitted[[name]] else fitted
        }
    }
    out
}

# Coefficients of scores, and the log joint, in all chains: for package posterior.
as_draws.gibbous <- function(x, ...) {
    place <- .Call(gbr_draw_places, handle_of(x))
    draws <- if (x$facts$n_outputs > 0) joined_draws(x)
    draws <- cbind(draws, log_joint = .Call(gbr_parameter_draws, handle_of(x), "log_joint")[, 1L])
    by_chain <- split(seq_along(place$chain), place$chain)
    n <- min(lengths(by_chain))
    rows <- vapply(by_chain, function(of) utils::tail(of, n), integer(n))
    rows <- array(rows, c(n, length(by_chain)))
    out <- array(draws[as.vector(rows), ], c(n, length(by_chain), ncol(draws)),
        dimnames = list(iteration = NULL, chain = NULL, variable = colnames(draws)))
    posterior::as_draws_array(out)
}
