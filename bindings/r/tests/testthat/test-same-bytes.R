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

test_that("several labels, exposures, weights and groups", {
    tagged <- transform(posts, tags = ifelse(stars > 2, paste(grade, "good"), grade), pages = day + 1, one = day / 100)
    path <- file.path(tempdir(), "tagged.csv")
    utils::write.csv(tagged, path, row.names = FALSE)
    same <- function(model, ...) {
        file <- tempfile(fileext = ".gibbous")
        run_command("train", path, "-k", "3", ..., "--seed", "1", "--sweeps", "40", "-m", file, "-q")
        expect_identical(bytes_of(model_file(model)), bytes_of(file))
    }
    tagged$list <- strsplit(tagged$tags, " ")
    several <- quick(tagged, K = 3, response = list ~ 1)
    expect_identical(several$facts$responses[[1]]$task, "multilabel")
    expect_equal(dim(predict(several, tagged[1:4, ])), c(4, 4))
    same(
        quick(tagged, K = 3, response = day ~ offset(log(pages)), family = "negative-binomial"),
        "--target", "day", "--exposure", "pages", "--response", "negative-binomial"
    )
    same(
        quick(tagged, K = 3, response = stars ~ 1, weights = "one"),
        "--target", "stars", "--document-weight", "one"
    )
    same(
        quick(tagged, K = 3, group = "blog", cluster = ~ day, prior = "graph", graph = "complete"),
        "--group", "blog", "--cluster", "day", "--prior", "graph", "--graph", "complete"
    )
})

test_that("a file", {
    expect_same_bytes(quick(posts_file(), K = 3, label = "grade"), "-k", "3", "--label", "grade")
})

test_that("files of the command open in R, and those of R in the command", {
    path <- tempfile(fileext = ".gibbous")
    run_command("train", posts_file(), "-k", "3", "--label", "grade", "--seed", "1", "--sweeps", "40", "-m", path, "-q")
    again <- tempfile(fileext = ".gibbous")
    write_gibbous(read_gibbous(path), again)
    expect_identical(bytes_of(path), bytes_of(again))
    expect_length(run_command("topics", "-m", model_file(graded()), "--table", "csv"), 4L)
})
