# Fields of documents: labels, numbers, covariates, metadata.

roles <- c(response = 0L, covariate = 1L, exposure = 2L, weight = 3L, group = 4L, cluster = 5L, prevalence = 6L)

is_date <- function(x) inherits(x, c("Date", "POSIXt"))

# A date as the engine has it: the year, and the part of it that has passed.
year_of <- function(x) {
    time <- as.POSIXlt(x, tz = if (inherits(x, "Date")) "UTC" else "")
    year <- time$year + 1900
    is_leap <- (year %% 4 == 0 & year %% 100 != 0) | year %% 400 == 0
    year + (time$yday + (time$hour + time$min / 60) / 24) / (365 + is_leap)
}

# One field.  Numbers are numbers, dates too; factors, texts, TRUE and FALSE are classes; lists are several classes.
field_of <- function(name, values, role, kind = NULL) {
    if (is_date(values)) values <- year_of(values)
    if (is.null(kind) || kind == "auto") {
        kind <- if (is.list(values)) "list" else if (is.numeric(values) && !is.factor(values)) "number" else "factor"
    }
    field <- list(name = name, role = roles[[role]])
    if (kind %in% c("number", "date")) return(c(field, list(numbers = numbers_of(name, values))))
    if (kind == "list") return(c(field, several_of(name, values)))
    c(field, classes_of(values))
}

numbers_of <- function(name, values) {
    if (is.factor(values) || is.character(values)) {
        found <- suppressWarnings(as.numeric(as.character(values)))
        bad <- which(is.na(found) & !is.na(values))
        if (length(bad) > 0L) fail(name, ", row ", bad[1L], ": expected a number, got \"", values[bad[1L]], "\"")
        return(found)
    }
    if (!is.numeric(values) && !is.logical(values)) fail(name, ": expected numbers, got ", class(values)[1L])
    as.numeric(values)
}

classes_of <- function(values) {
    values <- if (is.factor(values)) droplevels(values) else factor(values)
    list(class_name = value_names(levels(values)), class_of = as.integer(values))
}

value_names <- function(values) .Call(gbr_value_names, enc2utf8(plain(values)))

# Several classes of a document: a list of texts, NA or NULL where nobody knows; or a matrix of 0 and 1, or TRUE and FALSE.
several_of <- function(name, values) {
    if (is.matrix(values) || is.data.frame(values)) {
        values <- as.matrix(values)
        missing <- apply(is.na(values), 1L, all)
        has <- !is.na(values) & values != 0
        row <- t(has)
        return(list(
            class_name = value_names(colnames(values)), class_of = (which(row) - 1L) %% ncol(values) + 1L,
            start = c(0L, cumsum(rowSums(has))), is_missing = unname(missing)
        ))
    }
    if (!is.list(values)) values <- as.list(as.character(values))
    missing <- vapply(values, function(one) is.null(one) || (length(one) == 1L && is.na(one)), NA)
    values[missing] <- list(character())
    flat <- factor(as.character(unlist(lapply(values, as.character))))
    list(
        class_name = value_names(levels(flat)), class_of = as.integer(flat),
        start = c(0L, cumsum(lengths(values, use.names = FALSE))), is_missing = missing
    )
}

length_of_field <- function(field) {
    if (!is.null(field$start)) return(length(field$start) - 1L)
    length(if (is.null(field$numbers)) field$class_of else field$numbers)
}
