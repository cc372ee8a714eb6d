# Options of the engine: names with underscores for dashes, values as R has them.

#' @noRd
gibbous_options <- function() {
    out <- as.data.frame(.Call(gbr_options))
    out$verbs <- unname(verbs_of[out$name])
    out <- out[!is.na(out$verbs), ]
    out$option <- gsub("-", "_", out$name)
    rownames(out) <- NULL
    out[c("option", "kind", "group", "default", "low", "high", "choices", "verbs", "needs", "help")]
}

long_name <- function(option) gsub("_", "-", option)

options_of_verbs <- function(verbs) {
    takes <- vapply(strsplit(verbs_of, " ", fixed = TRUE), function(of) any(of %in% verbs), NA)
    gsub("-", "_", names(verbs_of)[takes])
}

# Complain of names that are no options of a call, with the nearest one.
check_names <- function(given, known, who) {
    for (name in setdiff(given, known)) {
        if (name == "") fail(who, "(): an argument without a name is left over")
        nearest <- unname(elsewhere[name])
        if (is.na(nearest) || !(sub(",.*", "", nearest) %in% c(known, "progress"))) {
            nearest <- .Call(gbr_nearest, gsub(".", "_", name, fixed = TRUE), known)
        }
        fail(
            who, "() has no option ", name, if (nzchar(nearest)) paste0("; did you mean ", nearest, "?"),
            class = "unknown_option"
        )
    }
}

# One value as the command takes it.
plain <- function(value) {
    if (is.logical(value)) return(ifelse(value, "yes", "no"))
    if (is.character(value)) return(enc2utf8(value))
    if (is.factor(value)) return(enc2utf8(as.character(value)))
    if (is.numeric(value)) return(vapply(as.numeric(value), plain_number, ""))
    fail("a value of an option is a number, a text, TRUE or FALSE, a vector or a list with names, not ", class(value)[1L])
}

# The shortest text that reads back as the same number.
plain_number <- function(x) {
    if (is.finite(x) && x == floor(x) && abs(x) < 2^53) return(sprintf("%.0f", x))
    text <- sprintf("%.15g", x)
    if (!is.finite(x) || as.numeric(text) == x) text else sprintf("%.17g", x)
}

# Texts of an option: one, or several of an option that may be given several times.
option_texts <- function(name, value, kind) {
    if (name == "seeds" && is.list(value)) return(write_json(lapply(value, function(words) {
        if (is.null(names(words))) as.list(plain(words)) else as.list(words)
    })))
    if (name == "class_weight" && !is.null(names(value))) return(write_json(as.list(value)))
    if (name == "psi_covariance" && is.matrix(value)) {
        return(paste(apply(value, 1L, function(row) paste(plain(row), collapse = ",")), collapse = ";"))
    }
    if (!is.null(names(value))) {
        values <- vapply(value, function(one) paste(plain(one), collapse = ","), "")
        pairs <- paste0(names(value), "=", values)
        return(if (kind == "list") pairs else paste(pairs, collapse = ","))
    }
    texts <- plain(unlist(value))
    if (kind == "list" && !(name %in% c("group", "levels"))) texts else paste(texts, collapse = ",")
}

# Settings with options by their names in R; NULL stands for "not given".
settings_of <- function(given, known, who, is_grid = FALSE) {
    settings <- .Call(gbr_settings_new)
    add_settings(settings, given, known, who, is_grid)
}

add_settings <- function(settings, given, known, who, is_grid = FALSE) {
    check_names(names(given), known, who)
    table <- .Call(gbr_options)
    for (name in names(given)) {
        value <- given[[name]]
        if (is.null(value)) next
        kind <- table$kind[match(long_name(name), table$name)]
        for (text in option_texts(name, value, kind)) {
            .Call(gbr_settings_set, settings, long_name(name), text, is_grid)
        }
    }
    for (name in names(given)) {
        if (!is.null(given[[name]])) .Call(gbr_settings_check, settings, long_name(name))
    }
    settings
}

setting <- function(settings, name) .Call(gbr_settings_get, settings, name)

# As the command does: a seed that was not given; R's generator draws it, so that set.seed() decides.
choose_seed <- function(settings) {
    if (setting(settings, "seed") == "auto") {
        seed <- as.character(sample.int(.Machine$integer.max, 1L))
        .Call(gbr_settings_set, settings, "seed", seed, FALSE)
    }
    settings
}

# Two threads, unless somebody asks for others.
with_threads <- function(given) {
    if (is.null(given$threads)) given$threads <- getOption("gibbous.threads", 2L)
    given
}
