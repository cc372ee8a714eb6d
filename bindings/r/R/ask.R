# Questions, and their answers as data frames: the cells that the command prints.

needs <- c(
    model = 0L, response = 1L, groups = 2L, earlier = 3L, documents = 4L, diagnosis = 5L, evaluation = 6L,
    selection = 7L, options = 8L, validation = 9L, scores = 10L, likelihood = 11L, pairs = 12L, content = 13L,
    explanation = 14L, among = 15L, prediction = 16L
)

questions <- function() {
    as.data.frame(.Call(gbr_questions)[c("question", "help", "options")])
}

question_row <- function(question) {
    all <- .Call(gbr_questions)
    row <- match(long_name(question), all$question)
    if (is.na(row)) {
        nearest <- .Call(gbr_nearest, long_name(question), all$question)
        fail(
            "there is no question \"", question, "\"", if (nzchar(nearest)) paste0("; did you mean \"", nearest, "\"?"),
            " questions() lists those that there are"
        )
    }
    bits <- all$needs[row]
    list(
        name = all$question[row], options = gsub("-", "_", strsplit(all$options[row], " ", fixed = TRUE)[[1L]]),
        needs = function(...) any(bitwAnd(bits, bitwShiftL(1L, needs[c(...)])) != 0L)
    )
}

ask <- function(model, question, documents = NULL, data = NULL, ..., earlier = NULL, among = NULL,
                progress = interactive()) {
    q <- question_row(question)
    given <- list(...)
    if (q$needs("selection", "validation") && !q$needs("scores", "prediction", "likelihood")) {
        fail("ask: \"", q$name, "\" is answered by ", if (q$needs("selection")) "select_topics()" else "cross_validate()")
    }
    subject <- list(model = if (!is.null(model)) handle_of(model), earlier = if (!is.null(earlier)) handle_of(earlier))
    wants_documents <- !is.null(documents) || !is.null(model) && must_have_documents(q)
    if (q$needs("diagnosis") && !is.null(model)) subject$diagnosis <- .Call(gbr_diagnosis, handle_of(model))
    if (!wants_documents) return(answer(q, subject, settings_of(given, q$options, q$name)))
    is_scored <- q$needs("evaluation", "scores") || q$needs("earlier") && !is.null(documents)
    verb <- if (is_scored || q$needs("likelihood")) "evaluate" else "infer"
    known <- union(q$options, options_of_verbs(c(verb, if (q$needs("prediction")) "predict",
        if (q$needs("explanation")) "explain")))
    settings <- settings_of(with_threads(given), known, q$name)
    if (is_scored) {
        models <- list(evaluation = model, earlier_evaluation = earlier)
        for (member in names(models)) {
            if (!is.null(models[[member]])) {
                subject[[member]] <- evaluation_of(models[[member]], documents, data, settings, progress)
            }
        }
        return(answer(q, subject, settings))
    }
    check_use(model, settings, if (verb == "evaluate") "evaluate" else "predict")
    found <- new_documents(model, documents, data, settings)
    subject <- c(subject, subject_of(q, model, found, settings, progress))
    if (!is.null(among)) subject$among <- new_documents(model, among, NULL, settings)$corpus
    answer(q, subject, settings, progress)
}

must_have_documents <- function(q) {
    q$needs("documents", "evaluation", "scores", "likelihood", "explanation", "among", "prediction")
}

# What a question wants to know of documents.
subject_of <- function(q, model, found, settings, progress) {
    handle <- handle_of(model)
    out <- list(documents = found$corpus, scored = found$corpus, n_unknown = found$n_unknown)
    if (q$needs("prediction", "explanation") && model$facts$n_outputs > 0) {
        out$prediction <- .Call(gbr_predict, handle, found, settings, progress)
    }
    if (q$needs("explanation") && !is.null(out$prediction)) {
        out$explanation <- .Call(gbr_explanation, handle, found, settings, out$prediction, progress)
        out$topics <- .Call(gbr_table, "topics", list(model = handle), few_words())
    }
    if (q$needs("likelihood")) {
        out$likelihood <- .Call(gbr_likelihood, handle, found, settings, progress)
    }
    out
}

# Settings of the words beside a topic's part.
few_words <- function() settings_of(list(words = 3), "words", "explain")

evaluation_of <- function(fit, documents, data, settings, progress) {
    check_use(fit, settings, "evaluate")
    evaluation <- .Call(gbr_evaluation, handle_of(fit), settings)
    found <- new_documents(fit, documents, data, settings, with_responses = TRUE)
    .Call(gbr_evaluate, evaluation, found, settings, progress)
}

answer <- function(q, subject, settings, progress = FALSE) {
    table <- .Call(gbr_answer, q$name, Filter(Negate(is.null), subject), settings, progress)
    as_table(table, q$name)
}

sentence_place <- 6L

as_table <- function(table, question) {
    columns <- table$columns
    for (i in which(table$place == sentence_place)) {
        columns[[i]] <- if (is.list(columns[[i]])) lapply(columns[[i]], in_r) else in_r(columns[[i]])
    }
    notes <- table$notes
    notes[] <- in_r(notes)
    out <- structure(
        columns, class = c("gibbous_table", "data.frame"), row.names = .set_row_names(length(table$weight)),
        question = question, notes = notes, help = stats::setNames(table$help, names(columns)),
        unit = stats::setNames(table$unit, names(columns)), place = stats::setNames(table$place, names(columns)),
        weight = table$weight
    )
    for (doubt in unname(notes[names(notes) == "doubt"])) warn(doubt)
    out
}

# Lists of texts as one text, and numbers of curves left out, for printing.
flat <- function(x) {
    out <- lapply(x, function(column) {
        if (!is.list(column)) return(column)
        if (any(vapply(column, is.numeric, NA))) return(vapply(column, length, 0L))
        vapply(column, paste, "", collapse = " ")
    })
    structure(out, class = "data.frame", row.names = .set_row_names(if (length(out)) length(out[[1L]]) else 0L))
}

print.gibbous_table <- function(x, n = 20L, digits = 3L, ...) {
    shown <- flat(x)
    place <- attr(x, "place")
    if (!is.null(place) && all(names(shown) %in% names(place))) {
        hidden <- place[names(shown)] == 8L
        if (!all(hidden)) shown <- shown[!hidden]
    }
    print(utils::head(shown, n), digits = digits, right = FALSE, row.names = FALSE, ...)
    if (nrow(shown) > n) cat(nrow(shown) - n, "more rows\n")
    for (note in attr(x, "notes")) cat(strwrap(note, exdent = 2L), sep = "\n")
    invisible(x)
}
