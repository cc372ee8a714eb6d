# What the tests share, beside the data set `posts`: models, and the command to compare with.

options(gibbous.threads = 2L)

quick <- function(...) suppressWarnings(gibbous(..., seed = 1, sweeps = 40, progress = FALSE))

# A model that is trained once.
once <- local({
    kept <- list()
    function(name, make) {
        if (is.null(kept[[name]])) kept[[name]] <<- make
        kept[[name]]
    }
})
graded <- function() once("graded", quick(posts, K = 3, response = list(grade ~ day, stars ~ day), chains = 2))
by_party <- function() once("by_party", quick(posts, K = 3, prevalence = ~ party * s(day) + (1 | blog)))

# The command of the same build; tests that compare with it are skipped without it, and say so.
command <- function() {
    found <- Sys.getenv("GIBBOUS_COMMAND")
    if (!nzchar(found)) skip("GIBBOUS_COMMAND does not name the command to compare with")
    found
}

run_command <- function(...) {
    out <- suppressWarnings(system2(command(), shQuote(c(...)), stdout = TRUE, stderr = FALSE))
    status <- attr(out, "status")
    if (!is.null(status)) stop("gibbous ", paste(c(...), collapse = " "), " ended with ", status)
    out
}

posts_file <- function() {
    path <- file.path(tempdir(), "posts.csv")
    if (!file.exists(path)) utils::write.csv(posts, path, row.names = FALSE)
    path
}

bytes_of <- function(path) readBin(path, "raw", file.size(path))

model_file <- function(model) {
    path <- tempfile(fileext = ".gibbous")
    write_gibbous(model, path)
    path
}

# A table of the command has the cells of one in R.
expect_same_cells <- function(table, lines, what) {
    con <- textConnection(lines)
    on.exit(close(con))
    theirs <- utils::read.csv(con, colClasses = "character", check.names = FALSE, na.strings = character())
    expect_identical(names(table), names(theirs), info = what)
    expect_identical(nrow(table), nrow(theirs), info = what)
    for (name in names(table)) {
        ours <- table[[name]]
        if (is.list(ours)) { # the command has blanks between words, else semicolons
            ours <- vapply(ours, paste, "", collapse = " ")
            theirs[[name]] <- gsub(";", " ", theirs[[name]], fixed = TRUE)
        }
        if (is.logical(ours)) ours <- as.integer(ours)
        if (is.numeric(ours)) {
            number <- suppressWarnings(as.numeric(theirs[[name]]))
            expect_equal(ours, number, tolerance = 1e-7, info = paste(what, name))
        } else {
            expect_identical(ours, gsub("--([a-z-]+)", "`\\1`", theirs[[name]]), info = paste(what, name))
        }
    }
}
