# What stm says of a corpus: Rscript stm_effects.R FOLDER TOPICS FORMULA FIELD VALUE1 VALUE2 [DAYS FIELD]
#
# Reads docs.ldac, vocabulary.txt and metadata.csv in FOLDER; writes topics.csv (probabilities of words) and effects.csv (the difference
# of expected shares, VALUE1 minus VALUE2 of FIELD, with 90 percent intervals); with points of a number, curve.csv.  With STM_STARTS=N
# in the environment, of the spectral start and N random ones the fit with the highest bound.
suppressMessages(library(stm))
asked <- commandArgs(TRUE)
folder <- asked[1]
lines <- strsplit(readLines(file.path(folder, "docs.ldac")), " ")
documents <- lapply(lines, function(line) {
    pairs <- strsplit(line[-1], ":")
    rbind(as.integer(vapply(pairs, `[`, "", 1)) + 1L, as.integer(vapply(pairs, `[`, "", 2)))
})
vocabulary <- readLines(file.path(folder, "vocabulary.txt"))
metadata <- read.csv(file.path(folder, "metadata.csv"), stringsAsFactors = TRUE)
topics <- as.integer(asked[2])
started <- proc.time()[1]
fit <- NULL
for (start in 0:as.integer(Sys.getenv("STM_STARTS", "0"))) {
    one <- stm(documents, vocabulary, topics, prevalence = as.formula(asked[3]), data = metadata,
               init.type = if (start == 0) "Spectral" else "Random", seed = max(start, 1), verbose = FALSE)
    if (is.null(fit) || max(one$convergence$bound) > max(fit$convergence$bound)) fit <- one
}
cat("stm:", proc.time()[1] - started, "s of CPU,", length(fit$convergence$bound), "passes\n")
write.csv(exp(fit$beta$logbeta[[1]]), file.path(folder, "topics.csv"), row.names = FALSE)
set.seed(1)
effect <- estimateEffect(as.formula(paste("1:", topics, asked[3])), fit, metadata, uncertainty = "Global")
shown <- plot(effect, asked[4], method = "difference", cov.value1 = asked[5], cov.value2 = asked[6], omit.plot = TRUE,
              ci.level = 0.9)
write.csv(data.frame(topic = seq_len(topics), mean = unlist(shown$means), q05 = vapply(shown$cis, `[`, 0, 1),
                     q95 = vapply(shown$cis, `[`, 0, 2)), file.path(folder, "effects.csv"), row.names = FALSE)
if (length(asked) > 7) {
    at <- as.numeric(strsplit(asked[7], ",")[[1]])
    curve <- plot(effect, asked[8], method = "continuous", omit.plot = TRUE, ci.level = 0.9, npoints = 365)
    rows <- do.call(rbind, lapply(seq_len(topics), function(k) {
        near <- vapply(at, function(x) which.min(abs(curve$x - x)), 1L)
        data.frame(topic = k, at = at, mean = curve$means[[k]][near], q05 = curve$ci[[k]][1, near], q95 = curve$ci[[k]][2, near])
    }))
    write.csv(rows, file.path(folder, "curve.csv"), row.names = FALSE)
}
