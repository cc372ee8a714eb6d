# The object of class "gibbous": a model of the engine, and what R knows of its documents.

# `engine` is an environment, so that what is found once is kept, and a model that R has saved comes back from its bytes.
new_fit <- function(model, call = NULL, made = NULL, terms = list(), text = NULL, has_bytes = TRUE) {
    facts <- .Call(gbr_model_facts, model)
    engine <- new.env(parent = emptyenv())
    engine$model <- model
    if (has_bytes) engine$bytes <- .Call(gbr_model_bytes, model)
    structure(class = "gibbous", list(
        call = call, K = as.integer(facts$n_topics), n_docs = facts$n_docs, seed = facts$seed,
        inputs = made$inputs, path = made$path, given = made$given, terms = terms, text = text, facts = facts,
        engine = engine
    ))
}

check_fit <- function(fit) {
    if (inherits(fit, "gibbous")) return(fit)
    if (inherits(fit, "STM")) fail("this is a model of stm: call stm's function, as in stm::labelTopics()")
    fail("expected a model of gibbous, got ", class(fit)[1L])
}

handle_of <- function(fit) {
    check_fit(fit)
    engine <- fit$engine
    if (!.Call(gbr_is_alive, engine$model)) {
        if (is.null(engine$bytes)) fail("this model was not kept: save models by write_gibbous()")
        engine$model <- .Call(gbr_model_of_bytes, engine$bytes)
    }
    engine$model
}

settings_of_fit <- function(fit) read_json(fit$facts$settings)

# The words of the model, looked up once.
vocabulary <- function(fit) {
    if (is.null(fit$engine$vocabulary)) fit$engine$vocabulary <- .Call(gbr_model_words, handle_of(fit))
    fit$engine$vocabulary
}

read_gibbous <- function(path) {
    new_fit(.Call(gbr_model_read, path.expand(path)), match.call())
}

write_gibbous <- function(model, path, force = TRUE) {
    .Call(gbr_model_write, handle_of(model), path.expand(path), force)
    invisible(path)
}

# ---- documents of a model ----

# The documents that were trained on, in the words of the model.
training_documents <- function(fit) {
    engine <- fit$engine
    if (is.null(engine$documents) || !.Call(gbr_is_alive, engine$documents$corpus)) {
        engine$documents <- if (!is.null(fit$inputs)) {
            .Call(gbr_documents, handle_of(fit), fit$inputs)
        } else if (!is.null(fit$path)) {
            .Call(gbr_documents_read, handle_of(fit), fit$path, .Call(gbr_settings_new))
        } else {
            fail("the model does not have the documents that it was trained on: give them as newdata")
        }
    }
    engine$documents
}

# Other documents: texts, counts or a data frame as in training, with the fields that the model needs in `data`.
new_documents <- function(fit, newdata, data = NULL, settings, vocab = NULL, with_responses = FALSE,
                          embeddings = NULL) {
    if (is.null(newdata)) return(training_documents(fit))
    if (inherits(newdata, "gibbous_documents")) return(newdata)
    path <- corpus_path(newdata)
    if (!is.null(path)) {
        out <- .Call(gbr_documents_read, handle_of(fit), path, settings)
        warn_of_suspects(out$corpus, model = handle_of(fit))
        return(out)
    }
    found <- documents_of(newdata, vocab, if (is.data.frame(newdata)) fit$text)
    data <- data_for(found, data)
    inputs <- found[intersect(names(found), c("texts", "start", "word", "count", "vocabulary", "ids"))]
    inputs$fields <- needed_fields(fit, data, with_responses)
    if (!is.null(embeddings)) inputs$embeddings <- numbers_matrix(embeddings)
    check_lengths(inputs)
    out <- .Call(gbr_documents, handle_of(fit), inputs)
    warn_of_suspects(out$corpus, model = handle_of(fit))
    out
}

kinds <- c("factor", "list", "number")

# The fields that a model needs, evaluated as in training; of a model from a file columns of their names.
needed_fields <- function(fit, data, with_responses) {
    needed <- fit$facts$needed
    fields <- list()
    for (i in seq_along(needed$name)) {
        name <- needed$name[i]
        values <- value_of_term(fit, name, data)
        if (is.null(values)) {
            if (names(roles)[match(needed$role[i], roles)] %in% c("weight", "cluster")) next
            fail("the model needs the field \"", name, "\": give a column of that name in data")
        }
        role <- names(roles)[match(needed$role[i], roles)]
        fields <- c(fields, list(field_of(name, values, role, kinds[needed$kind[i] + 1L])))
    }
    if (!with_responses) return(fields)
    for (response in fit$facts$responses) {
        values <- value_of_term(fit, response$field, data)
        if (is.null(values)) fail("there is no column \"", response$field, "\" to compare predictions with")
        kind <- switch(response$task, regression = "number", multilabel = "list", "factor")
        fields <- c(fields, list(field_of(response$field, values, "response", kind)))
    }
    fields
}

value_of_term <- function(fit, name, data) {
    if (name %in% names(data)) return(data[[name]])
    term <- fit$terms[[name]]
    expression <- if (is.null(term)) tryCatch(str2lang(name), error = function(e) NULL) else term$expression
    if (is.null(expression) || is.null(data)) return(NULL)
    tryCatch(eval(expression, data, baseenv()), error = function(e) NULL)
}

# Settings of a call on documents, checked against the model.
uses <- c(predict = 0L, evaluate = 1L, score = 2L, estimate = 3L)

apply_settings <- function(fit, given, verbs, who, use) {
    settings <- settings_of(with_threads(given), options_of_verbs(verbs), who)
    check_use(fit, settings, use)
}

check_use <- function(fit, settings, use) {
    note <- .Call(gbr_check_use, handle_of(fit), settings, uses[[use]])
    if (nzchar(note)) warn(in_r(note), class = "no_effect")
    settings
}
