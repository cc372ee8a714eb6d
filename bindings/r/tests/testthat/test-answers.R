# Every table is the command's, cell by cell.

expect_answer <- function(model, question, ..., documents = NULL, arguments = character()) {
    ours <- suppressWarnings(ask(model, question, documents, ..., progress = FALSE))
    theirs <- run_command(
        "ask", question, if (!is.null(documents)) posts_file(), "-m", model_file(model), arguments, "--table", "csv"
    )
    expect_same_cells(ours, theirs, question)
}

test_that("questions about a model alone", {
    for (question in c("topics", "topic-words", "similarities", "effects", "diagnosis", "verdict", "prompts")) {
        expect_answer(graded(), question)
    }
    for (question in c("prevalence", "prevalence-contrasts")) expect_answer(by_party(), question)
    expect_answer(by_party(), "prevalence", at = list(party = c("A", "B")), arguments = c("--at", "party=A,B"))
    expect_answer(
        by_party(), "prevalence-contrasts", contrast = list(day = c(90, 10)), arguments = c("--contrast", "day=90,10")
    )
    expect_answer(graded(), "contrasts", contrast = "1,2", arguments = c("--contrast", "1,2"))
    expect_answer(graded(), "topics", words = 4, by = "frex", arguments = c("--words", "4", "--by", "frex"))
})

test_that("questions about words by group", {
    model <- quick(posts, K = 3, content = ~party)
    for (question in c("wordings", "content")) expect_answer(model, question)
})

test_that("questions about documents", {
    of <- c("topic-documents", "topic-shares", "correlations", "suspects", "predictions", "evaluation", "classes",
        "calibration", "confusion", "explanation", "explanation-words")
    for (question in of) expect_answer(graded(), question, documents = posts)
    expect_answer(graded(), "likelihood", documents = posts, seed = 1, arguments = c("--seed", "1"))
    expect_answer(
        by_party(), "prevalence-permutations", documents = posts, permute = "party", seed = 2,
        arguments = c("--permute", "party", "--seed", "2")
    )
})

test_that("two models", {
    earlier <- quick(posts, K = 2, response = list(grade ~ day, stars ~ day))
    expect_answer(graded(), "changes", earlier = earlier, arguments = c("--earlier", model_file(earlier)))
})

test_that("all questions are known, and a wrong one gets the nearest", {
    expect_true(all(c("topics", "effects", "prevalence") %in% questions()$question))
    expect_error(ask(graded(), "topic"), "topics", class = "gibbous_error")
    expect_error(ask(graded(), "prevalence"), "prevalence", class = "gibbous_argument")
})

test_that("cross-validation and selection are the command's", {
    found <- suppressWarnings(cross_validate(
        posts, K = 2, response = grade ~ 1, folds = 2, seed = 1, sweeps = 40, progress = FALSE
    ))
    theirs <- run_command("ask", "evaluation", posts_file(), "-k", "2", "--label", "grade", "--folds", "2", "--seed", "1",
        "--sweeps", "40", "--table", "csv")
    expect_same_cells(found$evaluation, theirs, "evaluation")
    found <- suppressWarnings(select_topics(posts$text, K = 2:3, folds = 2, seed = 1, sweeps = 40, progress = FALSE))
    theirs <- run_command("ask", "selection-scores", posts_file(), "--response", "none", "-k", "2,3", "--folds", "2",
        "--seed", "1", "--sweeps", "40", "--table", "csv")
    known <- found$scores$score != "seconds"
    con <- textConnection(theirs)
    rows <- utils::read.csv(con)
    close(con)
    expect_equal(found$scores$value[known], rows$value[rows$score != "seconds"], tolerance = 1e-7)
})
