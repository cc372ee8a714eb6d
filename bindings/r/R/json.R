# The JSON that the engine writes, as lists of R.

read_json <- function(text) {
    at <- 1L
    token <- regmatches(text, gregexpr(
        "\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9][0-9.eE+-]*|true|false|null|[\\[\\]{}:,]", text, perl = TRUE
    ))[[1L]]
    value <- function() {
        now <- token[at]
        at <<- at + 1L
        switch(substr(now, 1L, 1L),
            "{" = object(),
            "[" = array(),
            "\"" = json_text(now),
            "t" = TRUE,
            "f" = FALSE,
            "n" = NULL,
            as.numeric(now)
        )
    }
    skip <- function() at <<- at + 1L
    object <- function() {
        out <- list()
        while (token[at] != "}") {
            if (token[at] == ",") skip()
            name <- json_text(token[at])
            at <<- at + 2L # the name and the colon
            out[name] <- list(value())
        }
        skip()
        out
    }
    array <- function() {
        out <- list()
        while (token[at] != "]") {
            if (token[at] == ",") skip()
            out[length(out) + 1L] <- list(value())
        }
        skip()
        out
    }
    value()
}

json_text <- function(token) {
    inside <- substr(token, 2L, nchar(token) - 1L)
    if (!grepl("\\", inside, fixed = TRUE)) return(inside)
    found <- gregexpr("\\\\(u[0-9a-fA-F]{4}|.)", inside, perl = TRUE)
    regmatches(inside, found) <- lapply(regmatches(inside, found), function(escapes) {
        vapply(escapes, function(one) {
            switch(substr(one, 2L, 2L),
                u = intToUtf8(strtoi(substr(one, 3L, 6L), 16L)),
                n = "\n", t = "\t", r = "\r", b = "\b", f = "\f",
                substr(one, 2L, 2L)
            )
        }, "")
    })
    inside
}

write_json <- function(x) {
    if (is.list(x)) {
        parts <- vapply(x, write_json, "")
        if (is.null(names(x))) return(paste0("[", paste(parts, collapse = ","), "]"))
        keys <- vapply(names(x), write_json, "")
        return(paste0("{", paste0(keys, ":", parts, collapse = ","), "}"))
    }
    if (length(x) != 1L) return(write_json(as.list(x)))
    if (is.character(x)) return(encodeString(enc2utf8(x), quote = "\""))
    plain(x)
}
