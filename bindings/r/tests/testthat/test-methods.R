# What R asks of a model.

test_that("predictions", {
    model <- graded()
    found <- predict(model, posts, type = "response")
    expect_named(found, c("grade", "stars"))
    expect_s3_class(found$grade, "factor")
    expect_gt(mean(found$grade == posts$grade), 0.9)
    expect_gt(cor(found$stars, posts$stars), 0.4)
    shares <- predict(model, posts, type = "topics")
    expect_equal(dim(shares), c(200, 3))
    expect_equal(rowSums(shares), rep(1, 200))
    one <- quick(posts, K = 3, response = grade ~ 1)
    probability <- predict(one, posts$text[1:2], type = "probability")
    expect_identical(colnames(probability), sort(unique(posts$grade)))
    expect_equal(fitted(one), predict(one, posts))
    expect_error(predict(by_party()), "no response", class = "gibbous_argument")
    expect_error(predict(model, posts["text"]), "needs the field \"day\"", class = "gibbous_argument")
})

test_that("terms of a formula are evaluated in new data", {
    model <- quick(posts, K = 3, response = stars ~ log1p(day))
    expect_identical(model$facts$needed$name, "log1p(day)")
    expect_equal(predict(model, posts[1:5, ]), predict(model)[1:5])
    other <- quick(posts, K = 3, prevalence = ~ sqrt(day) + party)
    expect_equal(predict(other, posts[1:5, ], type = "topics"), predict(other, type = "topics")[1:5, ])
})

test_that("coefficients, their covariance and draws", {
    model <- graded()
    expect_true(all(c("stars:topic 1", "stars:day", "stars:(Intercept)") %in% names(coef(model))))
    effects <- suppressWarnings(ask(model, "effects"))
    topic <- effects$kind == "topic" & effects$field == "stars" & effects$feature == "2"
    expect_equal(coef(model)[["stars:topic 2"]], effects$mean[topic])
    expect_warning(covariance <- vcov(model), "shaped the topics", class = "gibbous_doubt")
    expect_equal(dim(covariance), rep(length(coef(model)), 2))
    expect_error(coef(by_party()), "no response", class = "gibbous_argument")
    skip_if_not_installed("posterior")
    draws <- posterior::as_draws(model)
    expect_identical(posterior::nchains(draws), 2L)
    expect_equal(mean(posterior::extract_variable(draws, "stars:day")), coef(model)[["stars:day"]])
})

test_that("generics of stats and broom", {
    model <- graded()
    expect_identical(nobs(model), 200L)
    likelihood <- logLik(model, seed = 1)
    expect_lt(as.numeric(likelihood), 0)
    small <- suppressWarnings(gibbous(posts, K = 3, seed = 1, sweeps = 40, progress = FALSE))
    expect_identical(suppressWarnings(update(small, K = 2))$K, 2L)
    drawn <- simulate(model, nsim = 2, seed = 1, documents = 5)
    expect_length(drawn, 2L)
    expect_equal(dim(drawn[[1]]), c(5, 36))
    expect_identical(glance(model)$k, 3L)
    expect_named(tidy(model), c("topic", "term", "beta"))
    expect_equal(sum(tidy(model)$beta), 3)
    expect_named(tidy(model, "gamma"), c("document", "topic", "gamma"))
    expect_true(all(c(".topic", ".share", ".fitted_grade", ".fitted_stars") %in% names(augment(model, posts))))
    expect_output(print(model), "predicts grade: multiclass")
    expect_output(print(summary(model)), "Effects on scores")
    expect_output(print(diagnose(model)), "predictions")
})

test_that("a model that R has saved comes back", {
    path <- tempfile(fileext = ".rds")
    saveRDS(graded(), path)
    again <- readRDS(path)
    expect_equal(predict(again), predict(graded()))
    expect_identical(bytes_of(model_file(again)), bytes_of(model_file(graded())))
    file <- read_gibbous(model_file(graded()))
    expect_equal(predict(file, posts), predict(graded(), posts))
    expect_error(predict(file), "does not have the documents", class = "gibbous_argument")
    expect_error(read_gibbous(posts_file()), class = "gibbous_format")
    expect_error(read_gibbous("nowhere"), class = "gibbous_file")
})

test_that("effects on documents that the training has not seen", {
    model <- quick(posts[1:130, ], K = 3, response = stars ~ 1)
    found <- suppressWarnings(effects(model, documents = posts[131:200, ], seed = 1))
    expect_true(all(is.finite(found$q05[found$kind == "topic"])))
    expect_true(all(c("estimate", "conf.low", "p.direction") %in% names(tidy(found))))
    expect_warning(effects(model), "cannot be told from chance", class = "gibbous_doubt")
})

test_that("an interrupt ends a training with the draws so far", {
    skip_on_cran()
    skip_on_os("windows")
    system(paste0("(sleep 1; kill -INT ", Sys.getpid(), ")"), wait = FALSE)
    caught <- tryCatch(
        gibbous(
            posts, K = 3, response = stars ~ 1, sweeps = 1e8, burn_in = 1, thin = 100, seed = 1, progress = FALSE
        ),
        interrupt = function(e) e
    )
    expect_s3_class(caught, "gibbous_stopped")
    expect_match(conditionMessage(caught), "stopped")
    expect_s3_class(caught$model, "gibbous")
})
