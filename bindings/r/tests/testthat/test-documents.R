# Documents in every form that users of R have them in make the same model.

words <- sort(unique(unlist(strsplit(posts$text, " "))))
counts <- t(vapply(strsplit(posts$text, " "), function(of) tabulate(match(of, words), length(words)), integer(length(words))))
colnames(counts) <- words
reference <- function() once("reference", quick(counts, K = 3)$engine$bytes)

expect_reference <- function(documents, ...) {
    expect_identical(quick(documents, ..., K = 3)$engine$bytes, reference())
}

test_that("matrices", {
    sparse <- methods::as(Matrix::Matrix(counts * 1, sparse = TRUE), "CsparseMatrix")
    expect_s4_class(sparse, "dgCMatrix")
    expect_reference(sparse)
    expect_reference(methods::as(sparse, "TsparseMatrix"))
    unnamed <- sparse
    colnames(unnamed) <- NULL
    expect_reference(unnamed, words)
    expect_error(quick(unnamed, K = 3), "names", class = "gibbous_argument")
})

test_that("stm's documents and vocabulary", {
    documents <- lapply(seq_len(nrow(counts)), function(d) {
        has <- which(counts[d, ] > 0)
        rbind(as.integer(has), counts[d, has])
    })
    expect_reference(documents, words)
    expect_error(quick(documents, words[1:3], K = 3), "vocab has 3 words", class = "gibbous_argument")
})

test_that("rows of document, word and number", {
    cells <- which(counts > 0, arr.ind = TRUE)
    cells <- cells[sample(nrow(cells)), ]
    tidy <- data.frame(
        document = factor(cells[, 1], seq_len(nrow(counts))), term = words[cells[, 2]], count = counts[cells]
    )
    expect_reference(tidy)
})

test_that("a matrix of tm", {
    skip_if_not_installed("tm")
    corpus <- tm::VCorpus(tm::VectorSource(posts$text))
    expect_reference(tm::DocumentTermMatrix(corpus))
    expect_reference(tm::TermDocumentMatrix(corpus))
})

test_that("a dfm of quanteda brings its variables", {
    methods::setClass("dfm", contains = "dgCMatrix", slots = c(docvars = "data.frame"), where = environment())
    sparse <- methods::as(Matrix::Matrix(counts * 1, sparse = TRUE), "CsparseMatrix")
    dfm <- methods::new("dfm", sparse, docvars = cbind(docname_ = "x", posts["grade"]))
    model <- quick(dfm, K = 3, response = grade ~ 1)
    expect_identical(model$engine$bytes, quick(counts, data = posts, K = 3, response = grade ~ 1)$engine$bytes)
})

test_that("texts and lists of words", {
    texts <- quick(posts$text, K = 3)
    expect_identical(tidy(quick(strsplit(posts$text, " "), K = 3)), tidy(texts))
    expect_identical(quick(posts, K = 3)$engine$bytes, texts$engine$bytes)
    expect_identical(quick(transform(posts, body = text)[-1], text = "body", K = 3)$facts$n_words, 36)
    expect_error(quick(posts[-1], K = 3), "say which has the texts", class = "gibbous_argument")
})

test_that("values of each kind become the field that they are", {
    field <- gibbous:::field_of("day", as.Date(c("2020-07-01", NA)), "covariate")
    expect_equal(field$numbers, c(2020 + 182 / 366, NA))
    several <- gibbous:::field_of("tags", list(c("a", "b"), NA, character(), "b"), "response")
    expect_equal(several$start, c(0, 2, 2, 2, 3))
    expect_equal(several$is_missing, c(FALSE, TRUE, FALSE, FALSE))
    expect_equal(several$class_name[several$class_of], c("a", "b", "b"))
    flags <- gibbous:::field_of("tags", cbind(a = c(1, 0), b = c(1, 1)), "response", "list")
    expect_equal(flags$class_name[flags$class_of], c("a", "b", "b"))
    expect_equal(gibbous:::field_of("is", c(TRUE, FALSE, NA), "covariate")$class_name, c("false", "true"))
    expect_equal(gibbous:::value_names(c("1.0", " x ")), c("1", "x"))
})

test_that("what does not fit is an error that says where", {
    expect_error(quick(posts$text, data = posts[1:3, ], K = 3), "200 documents", class = "gibbous_argument")
    expect_error(quick(posts, K = 3, response = nothing ~ 1), "nothing", class = "gibbous_argument")
    expect_error(quick(counts - 1, K = 3), "whole numbers from 0 on")
    expect_error(quick(counts + 0.5, K = 3), "whole numbers from 0 on")
    expect_error(quick(posts, K = 3, prevalence = ~planet), "planet", class = "gibbous_error")
})

test_that("what looks wrong is a warning", {
    odd <- transform(posts, grade = ifelse(day > 50, "NaN", grade))
    expect_warning(
        suppressMessages(gibbous(odd, K = 2, response = grade ~ 1, seed = 1, sweeps = 40, progress = FALSE)),
        "NaN", class = "gibbous_suspect"
    )
})

test_that("embeddings go beside the words", {
    rows <- cbind(posts$stars, posts$day)
    model <- quick(posts, K = 2, response = stars ~ 1, embeddings = rows)
    expect_gt(cor(predict(model, posts[1:20, ], embeddings = rows[1:20, ]), posts$stars[1:20]), 0.9)
    expect_error(quick(posts, K = 2, response = stars ~ 1, embeddings = rows[1:3, ]), "3 rows", class = "gibbous_argument")
})
