# Options have the engine's names with underscores, and the engine's words.

test_that("unknown options are errors with the nearest name", {
    expect_error(quick(posts, K = 3, sweps = 4), "no option sweps; did you mean", class = "gibbous_unknown_option")
    expect_error(quick(posts, n_topics = 3), "did you mean topics", class = "gibbous_unknown_option")
    expect_error(quick(posts, K = 3, of = "A"), "no option of", class = "gibbous_unknown_option")
})

test_that("wrong values are errors of the engine", {
    expect_error(quick(posts, K = "many"), "`topics` must be a whole number", class = "gibbous_argument")
    expect_error(
        quick(posts, K = 3, response = grade ~ 1, family = "probit", margin = 2), "`margin` needs `response` hinge",
        class = "gibbous_argument"
    )
})

test_that("values of R become those of the command", {
    text <- function(name, value, kind = "text") gibbous:::option_texts(name, value, kind)
    expect_identical(text("cost", 0.1), "0.1")
    expect_identical(text("cost", 1 / 3), "0.33333333333333331")
    expect_identical(text("seed", 4294967295), "4294967295")
    expect_identical(text("intercept", FALSE), "no")
    expect_identical(text("alpha", c(0.1, 0.2)), "0.1,0.2")
    expect_identical(text("label", c("a", "b"), "list"), c("a", "b"))
    expect_identical(text("contrast", list(day = c(1, 2)), "list"), "day=1,2")
    expect_identical(text("seeds", list(a = c("x", "y"))), "{\"a\":[\"x\",\"y\"]}")
    expect_identical(text("class_weight", c(a = 1, b = 2.5)), "{\"a\":1,\"b\":2.5}")
})

test_that("arguments of stm() that decide nothing are passed over with a warning", {
    expect_warning(
        suppressMessages(gibbous(
            posts$text, K = 3, init.type = "Spectral", max.em.its = 75, seed = 1, sweeps = 40, progress = FALSE
        )),
        "init.type, max.em.its", class = "gibbous_no_effect"
    )
})

test_that("two threads unless asked", {
    expect_identical(gibbous:::with_threads(list())$threads, 2L)
    expect_identical(gibbous:::with_threads(list(threads = 1))$threads, 1)
})

test_that("JSON of the engine is read", {
    expect_identical(
        gibbous:::read_json("{\"a\": [1, true, null, \"x\\n\\u00e4\"], \"b\": {}}"),
        list(a = list(1, TRUE, NULL, "x\n\u00e4"), b = list())
    )
})
