# A model that is trained in R has the bytes of one that the command trains.

expect_same_bytes <- function(model, ...) {
    path <- tempfile(fileext = ".gibbous")
    run_command("train", posts_file(), ..., "--seed", "1", "--sweeps", "40", "-m", path, "-q")
    expect_identical(bytes_of(model_file(model)), bytes_of(path))
}

test_that("topics alone", {
    expect_same_bytes(quick(posts$text, K = 3), "-k", "3")
    expect_same_bytes(
        quick(posts$text, K = 3, stopwords = "en", min_df = 3, alpha = "sample", chains = 2),
        "-k", "3", "--stopwords", "en", "--min-df", "3", "--alpha", "sample", "--chains", "2"
    )
})

test_that("responses by the kind of their left side", {
    expect_same_bytes(
        quick(posts, K = 3, response = grade ~ day + party),
        "-k", "3", "--label", "grade", "--covariates", "day,party"
    )
    expect_same_bytes(quick(posts, K = 3, response = stars ~ 1), "-k", "3", "--target", "stars")
    ordered <- transform(posts, grade = factor(grade, c("low", "middle", "high"), ordered = TRUE))
    expect_same_bytes(
        quick(ordered, K = 3, response = grade ~ 1),
        "-k", "3", "--label", "grade", "--response", "ordinal", "--levels", "low,middle,high"
    )
    expect_same_bytes(
        quick(posts, K = 3, response = list(grade ~ day, stars ~ day), family = c(stars = "gaussian")),
        "-k", "3", "--label", "grade", "--target", "stars", "--covariates", "day", "--response", "stars=gaussian"
    )
})

test_that("prevalence with a smooth term and a random effect; content", {
    expect_same_bytes(
        by_party(), "-k", "3", "--prior", "logistic-normal", "--prevalence", "party * s(day) + (1 | blog)"
    )
    expect_same_bytes(quick(posts, K = 3, content = ~party), "-k", "3", "--content", "party")
})

test_that("files of the command open in R, and those of R in the command", {
    path <- tempfile(fileext = ".gibbous")
    run_command("train", posts_file(), "-k", "3", "--label", "grade", "--seed", "1", "--sweeps", "40", "-m", path, "-q")
    again <- tempfile(fileext = ".gibbous")
    write_gibbous(read_gibbous(path), again)
    expect_identical(bytes_of(path), bytes_of(again))
    expect_length(run_command("topics", "-m", model_file(graded()), "--table", "csv"), 4L)
})
