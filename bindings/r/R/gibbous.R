# From documents and formulas to a model.

# Arguments of stm() that decide nothing here.
of_stm <- c(
    "init.type", "max.em.its", "emtol", "verbose", "reportevery", "LDAbeta", "interactions", "ngroups", "model",
    "gamma.prior", "sigma.prior", "kappa.prior", "control"
)

gibbous <- function(documents, vocab = NULL, K = NULL, prevalence = NULL, content = NULL, data = NULL,
                    response = NULL, family = NULL, ..., weights = NULL, group = NULL, cluster = NULL,
                    embeddings = NULL, text = NULL, seed = NULL, begin_with = NULL, keep = TRUE,
                    progress = interactive()) {
    call <- match.call()
    given <- list(...)
    if (is.data.frame(vocab)) {
        data <- vocab
        vocab <- NULL
    }
    given <- without_stm(given)
    if (!is.null(K) && !identical(as.numeric(K), 0)) given$topics <- K
    given$seed <- seed
    made <- prepare(
        documents, vocab, data, prevalence, content, response, family, given, weights, group, cluster, embeddings,
        text, parent.frame(), c("train"), "gibbous"
    )
    corpus <- made$corpus
    if (as.numeric(setting(made$settings, "estimate-on")) > 0) {
        corpus <- .Call(gbr_hold_out, corpus, made$settings)
    }
    begin_with <- if (!is.null(begin_with)) handle_of(begin_with)
    has_folds <- setting(made$settings, "cross-fit") != "0"
    trained <- in_tempdir(.Call(gbr_train, corpus, made$settings, begin_with, has_folds, progress))
    made$corpus <- NULL
    fit <- if (!is.null(trained$model)) new_fit(trained$model, call, if (keep) made, made$terms, made$text)
    raise_outcome(trained$outcome, fit)
    if (keep) fit$engine$corpus <- corpus
    warn_unless_settled(fit)
    fit
}

# What an argument of stm means here; the others are passed over, and said so.
without_stm <- function(given) {
    passed <- intersect(names(given), of_stm)
    if (length(passed) > 0L) {
        warn(
            "arguments of stm() that decide nothing here are passed over: ", paste(passed, collapse = ", "),
            class = "no_effect"
        )
    }
    given[setdiff(names(given), of_stm)]
}

# Documents, fields and settings of a call.
prepare <- function(documents, vocab, data, prevalence, content, response, family, given, weights, group, cluster,
                    embeddings, text, environment, verbs, who, is_grid = FALSE) {
    known <- options_of_verbs(verbs)
    given <- with_threads(given)
    if (!is.null(prevalence)) given$prevalence <- prevalence_text(prevalence)
    if (!is.null(given$prevalence) && is.null(given$prior)) given$prior <- "logistic-normal"
    if (!is.null(content)) given$content <- one_field(content, "content")
    if (!is.null(given$evolve)) given$evolve <- one_field(given$evolve, "evolve")
    path <- corpus_path(documents)
    if (!is.null(path)) {
        if (!is.null(response) || !is.null(data)) {
            fail("the documents are a file: name its fields by the options label, labels, target and covariates")
        }
        settings <- start_settings(given, known, who, is_grid)
        corpus <- .Call(gbr_corpus_read, path, settings)
        warn_of_suspects(corpus, settings)
        return(list(path = path, corpus = corpus, settings = settings, given = given))
    }
    if (is.character(response) && length(response) == 1L && !grepl("~", response)) {
        family <- response
        response <- NULL
        given$response <- family
    }
    found <- documents_of(documents, vocab, text)
    data <- data_for(found, data)
    responses <- read_responses(response, family, data)
    named <- named_fields(list(document_weight = weights, group = group, cluster = cluster), data, environment)
    given <- c(given, responses$options[setdiff(names(responses$options), names(given))], named$options)
    settings <- start_settings(given, known, who, is_grid)
    origin <- if (inherits(prevalence, "formula")) environment(prevalence) else environment
    names_known <- vapply(c(responses$fields, named$fields), function(f) f$name, "")
    metadata <- metadata_fields(settings, names_known, data, origin)
    inputs <- found[intersect(names(found), c("texts", "start", "word", "count", "vocabulary", "ids"))]
    inputs$fields <- c(responses$fields, named$fields, metadata$fields)
    if (!is.null(embeddings)) inputs$embeddings <- numbers_matrix(embeddings)
    check_lengths(inputs)
    corpus <- .Call(gbr_corpus, inputs, settings)
    warn_of_suspects(corpus, settings)
    list(
        inputs = inputs, corpus = corpus, settings = settings, given = given,
        terms = c(responses$terms, named$terms, metadata$terms), text = found$text
    )
}

# Settings of a training: those of the run that is resumed, and a seed.
start_settings <- function(given, known, who, is_grid) {
    settings <- settings_of(given, known, who, is_grid)
    if (!is.null(given$resume)) .Call(gbr_settings_resume, settings, path.expand(given$resume))
    choose_seed(settings)
}

# Say what looks wrong in documents, or is far from those of a model's training.
warn_of_suspects <- function(corpus, settings = NULL, model = NULL) {
    found <- answer(question_row("suspects"), list(documents = corpus, model = model), settings)
    for (sentence in found$sentence) warn(sentence, class = "suspect")
}

# The engine's temporary files belong into the folder of this session.
in_tempdir <- function(expression) {
    before <- Sys.getenv("TMPDIR", unset = NA)
    Sys.setenv(TMPDIR = tempdir())
    on.exit(if (is.na(before)) Sys.unsetenv("TMPDIR") else Sys.setenv(TMPDIR = before))
    expression
}

corpus_path <- function(documents) {
    if (inherits(documents, "gibbous_corpus_file")) return(documents$path)
    is_path <- is.character(documents) && length(documents) == 1L && !is.na(documents) && is.null(names(documents)) &&
        file.exists(documents)
    if (is_path) path.expand(documents)
}

# The data frame that goes with documents, row by row; rows of a tidy table are matched by their document.
data_for <- function(found, data) {
    if (is.null(data)) return(found$data)
    data <- as.data.frame(data)
    if (!is.null(found$key) && found$key %in% names(data)) {
        row <- match(found$ids, as.character(data[[found$key]]))
        if (anyNA(row)) fail("data has no row for document \"", found$ids[is.na(row)][1L], "\"")
        data <- data[row, , drop = FALSE]
    }
    if (nrow(data) != n_docs_of(found)) {
        fail("there are ", n_docs_of(found), " documents, but data has ", nrow(data), " rows")
    }
    data
}

# Fields that an argument names or gives: the name of a column, a formula, or values.
named_fields <- function(arguments, data, environment) {
    out <- list(fields = list(), options = list(), terms = list())
    field_role <- c(document_weight = "weight", group = "group", cluster = "cluster")
    for (option in names(arguments)) {
        given <- arguments[[option]]
        if (is.null(given)) next
        expressions <- if (inherits(given, "formula")) {
            sum_terms(given[[length(given)]])
        } else if (is.character(given) && length(given) == 1L && given %in% names(data)) {
            list(as.name(given))
        } else {
            list(given)
        }
        where <- if (inherits(given, "formula")) environment(given) else environment
        role <- field_role[[option]]
        for (expression in expressions) {
            is_values <- !is.language(expression)
            name <- if (is_values) option else field_name(expression)
            values <- if (is_values) expression else value_in(expression, data, where)
            out$fields <- c(out$fields, list(field_of(name, values, role, if (role == "weight") "number" else "factor")))
            out$options[[option]] <- c(out$options[[option]], name)
            out$terms[[name]] <- list(
                role = role, expression = if (is_values) as.name(name) else expression, environment = where
            )
        }
    }
    out
}

numbers_matrix <- function(x) {
    x <- as.matrix(x)
    storage.mode(x) <- "double"
    x
}

check_lengths <- function(inputs) {
    n <- n_docs_of(inputs)
    for (field in inputs$fields) {
        if (length_of_field(field) != n) {
            fail("there are ", n, " documents, but ", field$name, " has ", length_of_field(field), " values")
        }
    }
    if (!is.null(inputs$embeddings) && nrow(inputs$embeddings) != n) {
        fail("there are ", n, " documents, but ", nrow(inputs$embeddings), " rows of embeddings")
    }
}

# Raise what ended a training early; the draws so far are in the condition's `model`.
raise_outcome <- function(outcome, fit) {
    if (outcome$interrupted) {
        kept <- if (is.null(fit)) "no draw was kept" else "the draws so far are in the condition's `model`"
        stopped(outcome$status, paste0("the training was stopped; ", kept), fit)
    }
    is_stopped <- outcome$status == match("stopped", statuses)
    if (outcome$status == 0L || (is_stopped && !is.null(fit))) return(invisible())
    engine_error(outcome$status, outcome$message)
}

warn_unless_settled <- function(fit) {
    verdict <- suppressWarnings(ask(fit, "verdict"))
    if (isFALSE(verdict$holds[1L])) {
        said <- verdict$text[verdict$holds %in% FALSE | verdict$about == "next"]
        warn(paste(said, collapse = "\n"), class = "convergence")
    }
}
