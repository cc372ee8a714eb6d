# Failures of the engine as conditions, with its words.

statuses <- c("memory", "file", "format", "argument", "numeric", "stopped", "rank")

# `burn-in` is burn_in in R.
in_r <- function(message) {
    repeat {
        changed <- gsub("(`[a-z0-9_]+)-([a-z0-9_-]*`)", "\\1_\\2", message)
        if (identical(changed, message)) return(message)
        message <- changed
    }
}

condition <- function(message, class, ...) {
    structure(class = c(class, "condition"), list(message = message, call = NULL, ...))
}

# Called by the C code.
engine_error <- function(status, message) {
    stop(condition(in_r(message), c(paste0("gibbous_", statuses[status]), "gibbous_error", "error")))
}

# Called by the C code, and after a training that the user has interrupted; `model` has the draws so far.
stopped <- function(status, message, model = NULL) {
    raised <- condition(in_r(message), c("gibbous_stopped", "interrupt"), model = model)
    signalCondition(raised)
    stop(condition(in_r(message), c("gibbous_stopped", "gibbous_error", "error"), model = model))
}

fail <- function(..., class = "argument") {
    stop(condition(paste0(...), c(paste0("gibbous_", class), "gibbous_error", "error")))
}

warn <- function(..., class = "doubt") {
    warning(condition(paste0(...), c(paste0("gibbous_", class), "gibbous_warning", "warning")))
}
