# Documents as users of R have them: texts, or counts of words.

# A list for the C code: texts, or start, word (from 0), count and vocabulary; ids; data that came along.
documents_of <- function(x, vocab = NULL, text = NULL) {
    found <- if (is_term_matrix(x)) {
        of_triplet(x)
    } else if (methods::is(x, "dgCMatrix")) {
        of_sparse(x)
    } else if (methods::is(x, "sparseMatrix")) {
        of_sparse(methods::as(methods::as(x, "generalMatrix"), "CsparseMatrix"))
    } else if (is.character(x) || is.factor(x)) {
        list(texts = of_texts(x), ids = names(x))
    } else if (is.data.frame(x)) {
        of_frame(x, text)
    } else if (is.matrix(x) && (is.numeric(x) || is.logical(x))) {
        of_sparse(methods::as(Matrix::Matrix(x * 1, sparse = TRUE), "CsparseMatrix"))
    } else if (inherits(x, "Corpus")) {
        of_tm(x)
    } else if (is.list(x)) {
        of_lists(x)
    } else {
        fail("expected texts, a matrix of counts or a list of documents, got ", class(x)[1L])
    }
    if (!is.null(vocab)) found$vocabulary <- vocabulary_for(found, vocab)
    if (is.null(found$texts) && is.null(found$vocabulary)) {
        fail("the words have no names: give the names of the columns, or vocab")
    }
    found
}

n_docs_of <- function(found) if (is.null(found$texts)) length(found$start) - 1L else length(found$texts)

of_texts <- function(x) {
    x <- enc2utf8(as.character(x))
    x[is.na(x)] <- ""
    x
}

# Counts, documents x words.  The transpose of a matrix by columns has the documents one after the other.
of_sparse <- function(x) {
    data <- if (methods::.hasSlot(x, "docvars")) docvars_of(x)
    rows <- Matrix::t(methods::as(x, "dgCMatrix"))
    list(start = rows@p, word = rows@i, count = rows@x, vocabulary = colnames(x), ids = rownames(x), data = data)
}

# The variables of quanteda's dfm, less its own columns.
docvars_of <- function(x) {
    data <- methods::slot(x, "docvars")
    data[!grepl("_$", names(data))]
}

is_term_matrix <- function(x) inherits(x, "simple_triplet_matrix")

# tm's matrices.
of_triplet <- function(x) {
    by_term <- inherits(x, "TermDocumentMatrix")
    document <- if (by_term) x$j else x$i
    word <- if (by_term) x$i else x$j
    names <- if (by_term) rev(dimnames(x)) else dimnames(x)
    n_docs <- if (by_term) x$ncol else x$nrow
    order <- order(document, word)
    list(
        start = c(0L, cumsum(tabulate(document, n_docs))), word = as.integer(word[order]) - 1L,
        count = as.numeric(x$v[order]), vocabulary = names[[2L]], ids = names[[1L]]
    )
}

# A corpus of tm.
of_tm <- function(x) {
    texts <- vapply(x, function(one) paste(as.character(one), collapse = "\n"), "")
    data <- tryCatch(as.data.frame(attr(x, "dmeta")), error = function(e) NULL)
    list(texts = of_texts(texts), ids = names(x), data = if (length(data) > 0L) data)
}

tidy_names <- list(
    document = c("document", "doc_id", "doc", "id"), term = c("term", "word", "token", "feature"),
    count = c("count", "n", "frequency", "freq")
)

of_frame <- function(x, text) {
    column <- function(which) intersect(tidy_names[[which]], names(x))[1L]
    tidy <- vapply(names(tidy_names), column, "")
    if (is.null(text) && !("text" %in% names(x)) && !anyNA(tidy)) return(of_tidy(x, tidy))
    if (is.null(text)) text <- if ("text" %in% names(x)) "text" else only_text(x)
    if (!(text %in% names(x))) fail("text: no column is named \"", text, "\"; ", shown_columns(x))
    id <- if ("id" %in% names(x)) as.character(x$id)
    list(texts = of_texts(x[[text]]), ids = id, data = x, text = text)
}

only_text <- function(x) {
    texts <- names(x)[vapply(x, function(column) is.character(column), NA)]
    if (length(texts) != 1L) {
        fail("no column is named \"text\"; say which has the texts, as in text = \"...\"; ", shown_columns(x))
    }
    texts
}

shown_columns <- function(x) paste("the columns are", paste0("\"", utils::head(names(x), 20L), "\"", collapse = ", "))

# Rows of document, word and number: documents in the order of their first row, or of their factor's levels.
of_tidy <- function(x, columns) {
    document <- x[[columns["document"]]]
    documents <- if (is.factor(document)) levels(document) else unique(document)
    term <- as.character(x[[columns["term"]]])
    words <- sort(unique(term), method = "radix")
    row <- match(as.character(document), as.character(documents))
    word <- match(term, words)
    order <- order(row, word)
    list(
        start = c(0L, cumsum(tabulate(row, length(documents)))), word = word[order] - 1L,
        count = as.numeric(x[[columns["count"]]][order]), vocabulary = words, ids = as.character(documents),
        key = unname(columns["document"])
    )
}

# stm's documents: of each a matrix with numbers of words, from 1, above their counts; or lists of words.
of_lists <- function(x) {
    if (all(vapply(x, is.character, NA))) {
        words <- sort(unique(unlist(x)), method = "radix")
        return(list(
            start = c(0L, cumsum(lengths(x, use.names = FALSE))), word = match(unlist(x), words) - 1L, count = NULL,
            vocabulary = words, ids = names(x)
        ))
    }
    is_stm <- vapply(x, function(one) is.matrix(one) && nrow(one) == 2L && is.numeric(one), NA)
    if (!all(is_stm)) {
        fail("document ", which(!is_stm)[1L], " is no matrix with numbers of words above their counts, and no words")
    }
    all <- do.call(cbind, c(list(matrix(0, 2L, 0L)), unname(x)))
    list(
        start = c(0L, cumsum(vapply(x, ncol, 0L, USE.NAMES = FALSE))), word = as.integer(all[1L, ]) - 1L,
        count = as.numeric(all[2L, ]), ids = names(x)
    )
}

# The names of the words of a matrix; of texts, the only words to keep.
vocabulary_for <- function(found, vocab) {
    vocab <- enc2utf8(as.character(vocab))
    n <- if (length(found$word) > 0L) max(found$word) + 1L else 0L
    if (is.null(found$texts) && length(vocab) < n) {
        fail("vocab has ", length(vocab), " words, but documents have words up to number ", n)
    }
    if (is.null(found$texts) && !is.null(found$vocabulary) && length(vocab) != length(found$vocabulary)) {
        fail("vocab has ", length(vocab), " words, but the documents have ", length(found$vocabulary), " columns")
    }
    vocab
}
