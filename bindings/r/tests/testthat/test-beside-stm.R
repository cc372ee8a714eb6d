# Not in the archive, since stm is no package that ours suggests.
# The verbs on stm's own data beside stm itself: the same shapes and names, and numbers where they mean the same.

beside <- function() {
    skip_if_not_installed("stm")
    skip_if_not_installed("tm")
    once("beside", {
        survey <- new.env()
        utils::data("gadarian", package = "stm", envir = survey)
        answers <- survey$gadarian
        read <- stm::textProcessor(answers$open.ended.response, metadata = answers, verbose = FALSE)
        out <- stm::prepDocuments(read$documents, read$vocab, read$meta, verbose = FALSE)
        list(
            out = out,
            theirs = stm::stm(out$documents, out$vocab, K = 3, prevalence = with_s(~ treatment + s(pid_rep)),
                data = out$meta, seed = 1, verbose = FALSE),
            ours = suppressWarnings(gibbous(out$documents, out$vocab, K = 3, prevalence = ~ treatment + s(pid_rep),
                data = out$meta, seed = 1, progress = FALSE))
        )
    })
}

# A formula in which stm finds its s().
with_s <- function(formula) {
    environment(formula) <- list2env(list(s = stm::s), parent = globalenv())
    formula
}

# Names and sizes all the way down.
shape <- function(x) if (is.list(x)) lapply(unclass(x), shape) else if (is.null(dim(x))) length(x) else dim(x)

test_that("words, documents and correlations have stm's shapes", {
    b <- beside()
    of <- c("prob", "frex", "lift", "topicnums")
    expect_identical(shape(labelTopics(b$ours, n = 5)), shape(stm::labelTopics(b$theirs, n = 5)[of]))
    texts <- as.character(b$out$meta$open.ended.response)
    expect_identical(shape(findThoughts(b$ours, texts, n = 2)), shape(stm::findThoughts(b$theirs, texts, n = 2)))
    expect_identical(shape(topicCorr(b$ours)[1:3]), shape(unclass(stm::topicCorr(b$theirs))))
    object <- as.STM(b$ours)
    common <- c("vocab", "theta", "eta", "invsigma", "sigma")
    expect_identical(shape(unclass(object)[c("theta", "eta", "sigma")]), shape(unclass(b$theirs)[c("theta", "eta", "sigma")]))
    expect_true(all(common %in% names(object)))
    expect_setequal(names(object), names(b$theirs))
})

test_that("stm's own functions read an object of as.STM()", {
    skip_if_not_installed("stm")
    object <- as.STM(by_party())
    expect_identical(stm::labelTopics(object, n = 4)$prob, labelTopics(by_party(), n = 4)$prob)
    expect_identical(unname(stm::findThoughts(object, n = 2)$index[[1]]), findThoughts(by_party(), n = 2)$index[[1]])
    expect_s3_class(stm::topicCorr(object), "topicCorr")
    expect_length(stm::exclusivity(object), 3L)
})

test_that("effects have stm's shapes, and its numbers where topics are the same", {
    b <- beside()
    ours <- estimateEffect(1:3 ~ treatment + s(pid_rep), b$ours, b$out$meta)
    theirs <- stm::estimateEffect(with_s(1:3 ~ treatment + s(pid_rep)), b$theirs, b$out$meta)
    expect_true(all(c("parameters", "topics", "call", "uncertainty", "formula", "data", "varlist") %in% names(ours)))
    expect_identical(ours$topics, theirs$topics)
    expect_identical(ours$varlist, theirs$varlist)
    difference <- function(x) plot(x, "treatment", method = "difference", cov.value1 = 1, cov.value2 = 0, omit.plot = TRUE)
    one <- difference(ours)
    two <- difference(theirs)
    expect_setequal(names(one), names(two))
    expect_identical(shape(one[c("topics", "means", "cis")]), shape(two[c("topics", "means", "cis")]))
    curve <- function(x) plot(x, "pid_rep", method = "continuous", npoints = 7, omit.plot = TRUE, printlegend = FALSE)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_equal(shape(curve(ours)[c("x", "means", "ci")]), shape(curve(theirs)[c("x", "means", "ci")]))
    expect_setequal(names(summary(ours)), c("call", "topics", "tables", "notes"))
    # The topic whose words are most alike in both: fears of crime and taxes rise with the treatment.
    likeness <- exp(as.STM(b$ours)$beta$logbeta[[1]]) %*% t(exp(b$theirs$beta$logbeta[[1]]))
    pair <- which(likeness == max(likeness), arr.ind = TRUE)
    expect_lt(abs(one$means[[pair[1]]] - two$means[[pair[2]]]), 0.25)
})

test_that("new documents get shares as in stm", {
    b <- beside()
    ours <- fitNewDocuments(b$ours, b$out$documents[1:5], newData = b$out$meta[1:5, ])
    theirs <- stm::fitNewDocuments(b$theirs, b$out$documents[1:5], newData = b$out$meta[1:5, ], origData = b$out$meta,
        prevalence = with_s(~ treatment + s(pid_rep)), prevalencePrior = "Covariate", verbose = FALSE)
    expect_identical(dim(ours$theta), dim(theirs$theta))
    expect_true(all(names(ours) %in% names(theirs)))
})
