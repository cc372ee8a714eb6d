# Verbs that users of stm know, with their arguments and what they return.

labelTopics <- function(model, topics = NULL, n = 7, frexweight = 0.5) {
    check_fit(model)
    if (is.null(topics)) topics <- seq_len(model$K)
    n <- min(n, model$facts$n_words)
    words <- function(by, weight = NA_real_) {
        .Call(gbr_rank_words, handle_of(model), by, weight, n)[topics, , drop = FALSE]
    }
    structure(
        list(prob = words("probability"), frex = words("frex", frexweight), lift = words("lift"), topicnums = topics),
        class = "gibbous_labelTopics"
    )
}

print.gibbous_labelTopics <- function(x, ...) {
    titles <- c(prob = "Highest Prob", frex = "FREX", lift = "Lift")
    for (i in seq_along(x$topicnums)) {
        cat("Topic ", x$topicnums[i], " Top Words:\n", sep = "")
        for (by in names(titles)) cat("\t ", titles[[by]], ": ", paste(x[[by]][i, ], collapse = ", "), " \n", sep = "")
    }
    invisible(x)
}

findThoughts <- function(model, texts = NULL, topics = NULL, n = 3, thresh = NULL, where = NULL, meta = NULL) {
    check_fit(model)
    where <- substitute(where)
    n_docs <- as.integer(model$facts$n_docs)
    if (!is.null(texts) && length(texts) != n_docs) {
        fail("there are ", length(texts), " texts, but the model was trained on ", n_docs, " documents")
    }
    if (is.null(topics)) topics <- seq_len(model$K)
    keep <- rep(TRUE, n_docs)
    share <- theta_of(model)
    if (!is.null(where)) {
        columns <- stats::setNames(as.data.frame(share), paste0("Topic", seq_len(model$K)))
        keep <- eval(where, if (is.null(meta)) columns else cbind(columns, as.data.frame(meta)), parent.frame())
        keep <- keep %in% TRUE
    }
    index <- lapply(topics, function(k) {
        found <- which(keep & share[, k] >= (if (is.null(thresh) || !is.null(where)) 0 else thresh))
        utils::head(found[order(-share[found, k])], n)
    })
    names(index) <- paste("Topic", topics)
    out <- list(index = index)
    if (!is.null(texts)) out$docs <- lapply(index, function(i) as.character(texts)[i])
    structure(out, class = "gibbous_findThoughts")
}

print.gibbous_findThoughts <- function(x, ...) {
    shown <- if (is.null(x$docs)) x$index else x$docs
    for (topic in names(shown)) cat("\n ", topic, ": \n \t ", paste(shown[[topic]], collapse = "\n \t"), sep = "")
    cat("\n")
    invisible(x)
}

topicCorr <- function(model, method = "simple", cutoff = 0.01, verbose = TRUE) {
    if (method != "simple") fail("topicCorr: method must be \"simple\", not \"", method, "\"")
    rows <- suppressWarnings(ask(model, "correlations", training_documents_of(model)))
    cor <- diag(model$K)
    pair <- cbind(as.integer(rows$topic), as.integer(rows$with))
    cor[pair] <- cor[pair[, 2:1, drop = FALSE]] <- rows$mean
    posadj <- ifelse(cor > cutoff, 1, 0)
    structure(
        list(posadj = posadj, poscor = cor * posadj, cor = ifelse(abs(cor) > cutoff, cor, 0), table = rows),
        class = c("gibbous_topicCorr", "topicCorr")
    )
}

plot.gibbous_topicCorr <- function(x, topics = NULL, vlabels = NULL, ...) {
    if (is.null(topics)) topics <- seq_len(nrow(x$cor))
    if (is.null(vlabels)) vlabels <- paste("Topic", topics)
    links <- x$posadj[topics, topics, drop = FALSE]
    angle <- 2 * pi * seq_along(topics) / length(topics)
    graphics::plot(cos(angle), sin(angle), axes = FALSE, xlab = "", ylab = "", asp = 1, xlim = c(-1.3, 1.3),
        ylim = c(-1.3, 1.3), pch = 19, ...)
    pairs <- which(links > 0 & upper.tri(links), arr.ind = TRUE)
    for (i in seq_len(nrow(pairs))) {
        ends <- pairs[i, ]
        graphics::segments(cos(angle[ends[1L]]), sin(angle[ends[1L]]), cos(angle[ends[2L]]), sin(angle[ends[2L]]),
            lwd = 1 + 4 * x$cor[topics[ends[1L]], topics[ends[2L]]])
    }
    graphics::text(1.15 * cos(angle), 1.15 * sin(angle), vlabels, cex = 0.7)
    invisible(x)
}

fitNewDocuments <- function(model, documents, newData = NULL, origData = NULL, prevalence = NULL, betaIndex = NULL,
                            prevalencePrior = c("Average", "Covariate", "None"), ...) {
    if (!missing(prevalencePrior)) prevalencePrior <- match.arg(prevalencePrior)
    if (has_prevalence(model) && (is.null(newData) || identical(prevalencePrior, "None"))) {
        fail("the metadata of new documents is their prior: give newData; prevalencePrior \"Average\" and \"None\" have no",
            " counterpart")
    }
    vocab <- if (is.list(documents) && !is.data.frame(documents) && is.matrix(documents[[1L]])) {
        if (is.null(model$inputs$vocabulary)) vocabulary(model) else model$inputs$vocabulary
    }
    list(theta = stats::predict(model, documents, newData, type = "topics", vocab = vocab, ...))
}

permutationTest <- function(formula, stmobj, treatment, nruns = 999, documents = NULL, vocab = NULL, data = NULL,
                            seed = NULL, stmverbose = TRUE, uncertainty = NULL, ...) {
    given <- if (is.null(documents)) training_documents_of(stmobj) else documents
    rows <- ask(stmobj, "prevalence-permutations", given, data, permute = treatment, seed = seed, ...)
    topics <- if (length(formula) == 3L) as.integer(eval(formula[[2L]], environment(formula))) else seq_len(stmobj$K)
    only(rows, as.integer(sub("\\+.*", "", rows$topic)) %in% topics)
}

# ---- choosing the number of topics ----

select_topics <- function(documents, vocab = NULL, K, prevalence = NULL, content = NULL, data = NULL, response = NULL,
                          family = NULL, ..., text = NULL, seed = NULL, progress = interactive()) {
    given <- list(...)
    given$topics <- K
    given$seed <- seed
    made <- prepare(
        documents, vocab, data, prevalence, content, response, family, given, NULL, NULL, NULL, NULL, text,
        parent.frame(), c("train", "select"), "select_topics", is_grid = TRUE
    )
    selection <- in_tempdir(.Call(gbr_selection, made$corpus, made$settings, progress))
    none <- settings_of(list(), character(), "select_topics")
    ask_it <- function(question) answer(question_row(question), list(selection = selection), none)
    structure(list(selection = ask_it("selection"), scores = ask_it("selection-scores")), class = "gibbous_selection")
}

print.gibbous_selection <- function(x, ...) {
    print(x$selection, ...)
    invisible(x)
}

cross_validate <- function(documents, vocab = NULL, K = NULL, prevalence = NULL, content = NULL, data = NULL,
                           response = NULL, family = NULL, ..., folds = 5L, text = NULL, seed = NULL,
                           progress = interactive()) {
    given <- list(...)
    given$topics <- K
    given$seed <- seed
    if (is.null(given$hold_out_group)) given$folds <- folds
    made <- prepare(
        documents, vocab, data, prevalence, content, response, family, given, NULL, NULL, NULL, NULL, text,
        parent.frame(), c("train", "evaluate"), "cross_validate"
    )
    validation <- in_tempdir(.Call(gbr_validation, made$corpus, made$settings, progress))
    none <- settings_of(list(), character(), "cross_validate")
    names <- c("evaluation", "parts", "predictions", "likelihood")
    tables <- lapply(names, function(question) {
        tryCatch(answer(question_row(question), list(validation = validation), none),
            gibbous_argument = function(e) NULL)
    })
    structure(Filter(Negate(is.null), stats::setNames(tables, names)), class = "gibbous_validation")
}

print.gibbous_validation <- function(x, ...) {
    print(x$evaluation, ...)
    invisible(x)
}

searchK <- function(documents, vocab = NULL, K, init.type = NULL, N = NULL, proportion = NULL, heldout.seed = NULL,
                    M = 10, cores = getOption("gibbous.threads", 2L), ...) {
    passed <- c(init.type = !is.null(init.type), N = !is.null(N), proportion = !is.null(proportion))
    if (any(passed)) {
        warn("arguments of stm's searchK() that decide nothing here are passed over: ",
            paste(names(passed)[passed], collapse = ", "), class = "no_effect")
    }
    found <- select_topics(documents, vocab, K = K, seed = heldout.seed, threads = cores, ...)
    rows <- found$scores[found$scores$fold == "", ]
    score <- function(name) {
        of <- rows[rows$score == name, ]
        of$value[match(K, as.numeric(of$topics))]
    }
    results <- data.frame(K = K, exclus = score("exclusivity"), semcoh = score("coherence"),
        heldout = -log(score("perplexity")), stability = score("stability"))
    structure(list(results = results, selection = found$selection, scores = found$scores, call = match.call()),
        class = c("gibbous_searchK", "searchK"))
}

print.gibbous_searchK <- function(x, ...) {
    print(x$results, ...)
    for (note in attr(x$selection, "notes")) cat(strwrap(note, exdent = 2L), sep = "\n")
    invisible(x)
}

plot.gibbous_searchK <- function(x, ...) {
    titles <- c(heldout = "Held-Out Likelihood", semcoh = "Semantic Coherence", exclus = "Exclusivity",
        stability = "Stability")
    shown <- Filter(function(name) !all(is.na(x$results[[name]])), names(titles))
    old <- graphics::par(mfrow = c(ceiling(length(shown) / 2), 2L))
    on.exit(graphics::par(old))
    for (name in shown) {
        graphics::plot(x$results$K, x$results[[name]], type = "b", main = titles[[name]],
            xlab = "Number of Topics (K)", ylab = titles[[name]], ...)
    }
    invisible(x)
}

# ---- an object of stm's class ----

as.STM <- function(model, ...) {
    handle <- handle_of(model)
    theta <- unname(theta_of(model))
    beta <- .Call(gbr_topic_distributions, handle)
    counts <- word_counts(model)
    eta <- log(theta[, -model$K, drop = FALSE]) - log(theta[, model$K])
    sigma <- stats::cov(eta)
    structure(class = "STM", list(
        mu = list(mu = matrix(colMeans(eta), model$K - 1L, 1L), gamma = NULL), sigma = sigma,
        beta = list(logbeta = list(log(beta)), kappa = NULL),
        settings = list(
            dim = list(K = model$K, A = 1L, V = as.integer(model$facts$n_words), N = nrow(theta),
                wcounts = list(Group.1 = seq_along(counts), x = counts)),
            covariates = list(X = NULL, betaindex = rep(1L, nrow(theta)), yvarlevels = NULL, formula = NULL),
            kappa = list(LDAbeta = TRUE, interactions = FALSE), seed = model$facts$seed, call = model$call
        ),
        vocab = vocabulary(model), convergence = list(
            bound = .Call(gbr_parameter_draws, handle, "log_joint")[, 1L], its = as.integer(model$facts$n_draws),
            converged = TRUE
        ),
        theta = theta, eta = eta, invsigma = tryCatch(solve(sigma), error = function(e) NULL), time = NA_real_,
        version = as.character(utils::packageVersion("gibbous"))
    ))
}

# How often each word of the model is in the documents of its training.
word_counts <- function(fit) {
    tokens <- .Call(gbr_corpus_tokens, training_documents(fit)$corpus)
    tabulate(tokens$word, fit$facts$n_words)
}

name_topics <- function(model, names) {
    out <- new_fit(.Call(gbr_name_topics, handle_of(model), enc2utf8(as.character(names))), model$call,
        model[c("inputs", "path", "given")], model$terms, model$text)
    out
}
