# Verbs of stm: arguments, and the names and shapes of what they return.

test_that("labelTopics", {
    labels <- labelTopics(by_party(), topics = 2:3, n = 4)
    expect_named(labels, c("prob", "frex", "lift", "topicnums"))
    expect_equal(dim(labels$frex), c(2, 4))
    words <- suppressWarnings(ask(by_party(), "topics", words = 4))$words
    expect_identical(paste(labels$prob[1, ], collapse = " "), words[[2]])
    expect_output(print(labels), "Topic 2 Top Words")
})

test_that("findThoughts", {
    found <- findThoughts(by_party(), posts$text, topics = 1, n = 3)
    share <- predict(by_party(), type = "topics")[, 1]
    expect_identical(found$index[["Topic 1"]], order(-share)[1:3])
    expect_identical(found$docs[["Topic 1"]], posts$text[order(-share)[1:3]])
    only <- findThoughts(by_party(), topics = 1, n = 200, where = party == "B" & Topic1 > 0.3, meta = posts)$index[[1]]
    expect_true(all(posts$party[only] == "B" & share[only] > 0.3))
    expect_true(all(share[findThoughts(by_party(), topics = 1, n = 200, thresh = 0.5)$index[[1]]] >= 0.5))
    expect_error(findThoughts(by_party(), "one"), "200 documents", class = "gibbous_argument")
})

test_that("estimateEffect and its plots are the engine's answers", {
    effect <- estimateEffect(1:2 ~ party + s(day), by_party(), posts)
    table <- summary(effect)$tables[[1]]
    contrasts <- suppressWarnings(ask(by_party(), "prevalence-contrasts"))
    row <- contrasts$field == "party" & contrasts$topic == "1"
    expect_equal(table[1, c("Estimate", "5 %", "95 %")], unlist(contrasts[row, c("mean", "q05", "q95")]),
        ignore_attr = TRUE)
    points <- plot(effect, "party", method = "pointestimate", omit.plot = TRUE)
    expect_named(points, c("uvals", "topics", "means", "cis", "labels"))
    expect_identical(points$uvals, c("A", "B"))
    expect_equal(dim(points$cis[[1]]), c(2, 2))
    difference <- plot(effect, "party", method = "difference", cov.value1 = "A", cov.value2 = "B", omit.plot = TRUE)
    expect_equal(difference$means[[1]], points$means[[1]][1] - points$means[[1]][2], tolerance = 1e-6)
    curve <- plot(effect, "day", method = "continuous", moderator = "party", moderator.value = "A", npoints = 5,
        omit.plot = TRUE)
    expect_named(curve, c("x", "topics", "means", "ci", "labels"))
    expect_length(curve$means[[2]], 5L)
    wide <- plot(effect, "party", ci.level = 0.99, omit.plot = TRUE)
    expect_true(all(wide$cis[[1]][1, ] < points$cis[[1]][1, ]))
    expect_error(estimateEffect(1:2 ~ stars, by_party(), posts), "train with it", class = "gibbous_argument")
    expect_error(estimateEffect(1:2 ~ day, graded(), posts), "no prevalence", class = "gibbous_argument")
    expect_warning(estimateEffect(1 ~ party, by_party(), nsims = 5), "decide nothing", class = "gibbous_no_effect")
})

test_that("topicCorr, searchK, fitNewDocuments, permutationTest", {
    found <- topicCorr(by_party())
    expect_named(found, c("posadj", "poscor", "cor", "table"))
    expect_equal(found$cor, t(found$cor))
    searched <- suppressWarnings(searchK(posts$text, K = 2:3, folds = 2, heldout.seed = 1, sweeps = 40, progress = FALSE))
    expect_identical(searched$results$K, 2:3)
    expect_true(all(is.finite(as.matrix(searched$results[c("exclus", "semcoh", "heldout")]))))
    fitted <- fitNewDocuments(by_party(), posts$text[1:4], newData = posts[1:4, ])
    expect_equal(fitted$theta, predict(by_party(), type = "topics")[1:4, ])
    expect_error(fitNewDocuments(by_party(), posts$text[1:4]), "newData", class = "gibbous_argument")
    tested <- suppressWarnings(permutationTest(1:2 ~ party, by_party(), "party", seed = 1))
    expect_setequal(tested$topic, c("1", "2"))
    expect_lt(min(tested$p), 0.05)
})

test_that("as.STM has what users of STM objects read", {
    object <- as.STM(by_party())
    expect_s3_class(object, "STM")
    expect_equal(dim(object$theta), c(200, 3))
    expect_equal(dim(object$beta$logbeta[[1]]), c(3, 36))
    expect_equal(rowSums(exp(object$beta$logbeta[[1]])), rep(1, 3))
    expect_identical(object$settings$dim$V, length(object$vocab))
    expect_equal(sum(object$settings$dim$wcounts$x), 200 * 24)
    expect_error(labelTopics(object), "model of stm", class = "gibbous_argument")
})

test_that("plots draw", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    for (type in c("summary", "labels", "hist", "chains")) expect_error(plot(by_party(), type), NA)
    expect_error(plot(by_party(), "perspectives", topics = 1:2), NA)
    expect_error(plot(topicCorr(by_party())), NA)
    effect <- estimateEffect(1:2 ~ party + day, by_party(), posts)
    expect_error(plot(effect, "party", labeltype = "frex"), NA)
    expect_error(plot(effect, "day", method = "continuous"), NA)
    expect_error(plot(effect, "party", method = "difference", cov.value1 = "A", cov.value2 = "B"), NA)
    expect_error(plot(effects(by_party(), ~party)), NA)
})

test_that("topics get names, and report and export write files", {
    named <- name_topics(by_party(), c("taxes", "laws", "arts"))
    expect_identical(suppressWarnings(ask(named, "topics"))$name, c("taxes", "laws", "arts"))
    path <- tempfile(fileext = ".json")
    export_gibbous(by_party(), path, "ldavis")
    expect_match(readLines(path, warn = FALSE)[1], "topic_term_dists")
    expect_error(report(by_party(), "x.html", command = ""), "made by the command", class = "gibbous_argument")
    skip_if(Sys.getenv("GIBBOUS_COMMAND") == "", "GIBBOUS_COMMAND does not name the command to compare with")
    page <- tempfile(fileext = ".html")
    report(by_party(), page, command = command())
    expect_gt(file.size(page), 1e4)
})
