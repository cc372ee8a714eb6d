# Whether a model can be trusted, why it predicts what it does, and files for other programs.

diagnose <- function(model) {
    ask_it <- function(question) suppressWarnings(ask(model, question))
    structure(
        list(verdict = ask_it("verdict"), table = ask_it("diagnosis"), traces = ask_it("traces")),
        class = "gibbous_diagnosis"
    )
}

print.gibbous_diagnosis <- function(x, ...) {
    for (line in x$verdict$text) cat(strwrap(line, exdent = 2L), sep = "\n")
    invisible(x)
}

plot.gibbous_diagnosis <- function(x, ...) {
    of <- x$traces[x$traces$name == x$traces$name[1L], ]
    curves <- of$values
    sweeps <- Map(function(v, stride) seq_along(v) * stride, curves, of$stride)
    graphics::plot(NULL, xlim = range(0, unlist(sweeps)), ylim = range(unlist(curves), na.rm = TRUE), xlab = "sweep",
        ylab = of$name[1L], ...)
    colours <- grDevices::hcl.colors(max(length(curves), 2L), "Dark 3")
    for (i in seq_along(curves)) graphics::lines(sweeps[[i]], curves[[i]], col = colours[i])
    invisible(x)
}

explain <- function(model, documents = NULL, data = NULL, what = c("parts", "words", "topic-words"), ...) {
    what <- match.arg(what)
    question <- c(parts = "explanation", words = "explanation-words", "topic-words" = "explanation-topic-words")[[what]]
    ask(model, question, if (is.null(documents)) training_documents_of(model) else documents, data, ...)
}

report <- function(model, path, documents = NULL, command = Sys.which("gibbous")) {
    if (!nzchar(command)) {
        fail("the page is made by the command gibbous, which is not here: write_gibbous() the model, and then run",
            " gibbous report -m MODEL -o ", path)
    }
    file <- tempfile(fileext = ".gibbous")
    on.exit(unlink(file))
    write_gibbous(model, file)
    arguments <- c("report", documents, "-m", file, "-o", path, "-f", "-q")
    said <- suppressWarnings(system2(command, shQuote(arguments), stdout = TRUE, stderr = TRUE))
    if (!is.null(attr(said, "status"))) fail(paste(said, collapse = "\n"), class = "file")
    invisible(path)
}

export_gibbous <- function(model, path, format = "auto", documents = NULL, data = NULL, force = TRUE, ...) {
    settings <- apply_settings(model, list(...), "export", "export_gibbous", "predict")
    found <- new_documents(model, documents, data, settings)
    .Call(gbr_export, handle_of(model), found, path.expand(path), format, settings, force)
    invisible(path)
}

plot.gibbous <- function(x, type = c("summary", "labels", "perspectives", "hist", "chains"), n = NULL, topics = NULL,
                         labeltype = "prob", frexw = 0.5, main = NULL, xlim = NULL, ...) {
    type <- match.arg(type)
    if (type == "perspectives") return(plot_perspectives(x, topics, if (is.null(n)) 25L else n, main))
    if (type == "chains") return(invisible(plot(diagnose(x), main = main, ...)))
    if (is.null(topics)) topics <- seq_len(x$K)
    labels <- labelTopics(x, topics, if (is.null(n)) 3L else n, frexw)[[labeltype]]
    labels <- paste0("Topic ", topics, ": ", apply(labels, 1L, paste, collapse = ", "))
    if (type == "labels") {
        graphics::plot(NULL, xlim = c(0, 1), ylim = c(0, length(topics) + 1), axes = FALSE, xlab = "", ylab = "",
            main = if (is.null(main)) "" else main, ...)
        graphics::text(0, rev(seq_along(topics)), labels, adj = 0, cex = 0.8)
    } else if (type == "summary") {
        share <- .Call(gbr_topic_shares, handle_of(x))[topics]
        order <- order(share)
        graphics::plot(NULL, xlim = if (is.null(xlim)) c(0, 2 * max(share)) else xlim, ylim = c(0.5, length(topics) + 0.5),
            yaxt = "n", ylab = "", xlab = "Expected Topic Proportions", main = if (is.null(main)) "Top Topics" else main, ...)
        graphics::segments(0, seq_along(order), share[order], seq_along(order))
        graphics::text(share[order], seq_along(order), labels[order], pos = 4, cex = 0.8)
    } else {
        share <- theta_of(x)
        old <- graphics::par(mfrow = grDevices::n2mfrow(length(topics)))
        on.exit(graphics::par(old))
        for (i in seq_along(topics)) graphics::hist(share[, topics[i]], main = labels[i], xlab = "", xlim = c(0, 1))
    }
    invisible(x)
}

# Words of two topics, each on the side of the topic that has it more often.
plot_perspectives <- function(x, topics, n, main) {
    if (length(topics) != 2L) fail("plot(type = \"perspectives\") needs two topics")
    beta <- .Call(gbr_topic_distributions, handle_of(x))[topics, ]
    words <- utils::head(order(-colSums(beta)), n)
    side <- (beta[1L, words] - beta[2L, words]) / colSums(beta[, words])
    size <- sqrt(colSums(beta[, words]))
    graphics::plot(NULL, xlim = c(1, -1), ylim = c(0, n + 1), yaxt = "n", ylab = "",
        xlab = paste0("Topic ", topics[1L], "          Topic ", topics[2L]), main = if (is.null(main)) "" else main)
    graphics::text(side, rev(seq_along(words)), vocabulary(x)[words], cex = 0.5 + 1.5 * size / max(size))
    invisible(x)
}
