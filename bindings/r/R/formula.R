# Formulas of R: responses with covariates, and prevalence as the engine reads it.

# Evaluate an expression in the data, or where the formula was written.
value_in <- function(expression, data, environment) {
    tryCatch(eval(expression, data, environment), error = function(e) {
        fail("cannot find ", deparse1(expression), ": ", conditionMessage(e))
    })
}

# A name that a field has: that of its column, or what was written; blanks as R writes them.
field_name <- function(expression) if (is.name(expression)) as.character(expression) else deparse1(expression)

as_formulas <- function(x, what) {
    if (is.null(x)) return(list())
    if (inherits(x, "formula")) return(list(x))
    if (is.character(x) && length(x) == 1L) return(list(stats::as.formula(x, env = parent.frame(2L))))
    if (is.list(x) && all(vapply(x, inherits, NA, "formula"))) return(x)
    fail(what, ": expected a formula or a list of formulas, got ", class(x)[1L])
}

# Terms of a sum: a list of expressions; `~ 1` has none.
sum_terms <- function(expression) {
    if (is.call(expression) && identical(expression[[1L]], as.name("+")) && length(expression) == 3L) {
        return(c(sum_terms(expression[[2L]]), sum_terms(expression[[3L]])))
    }
    if (is.call(expression) && identical(expression[[1L]], as.name("("))) return(sum_terms(expression[[2L]]))
    if (is.numeric(expression)) return(if (expression == 0) list("no intercept") else list())
    list(expression)
}

# What the right side of a response names: covariates, an offset as the exposure, and whether there is an intercept.
right_side <- function(formula) {
    terms <- sum_terms(formula[[length(formula)]])
    no_intercept <- vapply(terms, identical, NA, "no intercept")
    is_offset <- vapply(terms, function(t) is.call(t) && identical(t[[1L]], as.name("offset")), NA)
    bad <- vapply(terms, function(t) is.call(t) && as.character(t[[1L]])[1L] %in% c(":", "*", "-", "|", "^", "%in%"), NA)
    if (any(bad)) {
        fail("response: ", deparse1(terms[[which(bad)[1L]]]), ": covariates of a response are fields with + between; ",
            "a column that you make does for anything else")
    }
    if (any(vapply(terms, identical, NA, as.name(".")))) fail("response: name the covariates; there is no \".\"")
    list(
        covariates = terms[!no_intercept & !is_offset], intercept = !any(no_intercept),
        exposure = lapply(terms[is_offset], exposure_of)
    )
}

# offset(log(pages)): the exposure is pages.
exposure_of <- function(offset) {
    inside <- offset[[2L]]
    if (is.call(inside) && identical(inside[[1L]], as.name("log"))) return(inside[[2L]])
    call("exp", inside)
}

laws_of_classes <- c("hinge", "logistic", "probit", "ordinal")
laws_of_numbers <- c("gaussian", "insensitive", "negative-binomial")

# family = "ordinal", or one of R's families that mean the same.
law_of <- function(family, name) {
    if (is.null(family)) return(NULL)
    if (is.list(family) && !inherits(family, "family") || (is.character(family) && !is.null(names(family)))) {
        family <- if (name %in% names(family)) family[[name]] else return(NULL)
    }
    if (is.function(family)) family <- family()
    if (inherits(family, "family")) family <- family$family
    switch(family, binomial = "logistic", negative.binomial = "negative-binomial", long_name(family))
}

# The option of a left side by its kind, unless the law says otherwise.
kind_of_response <- function(values, law) {
    if (is.matrix(values) || is.data.frame(values) || (is.list(values) && !is.factor(values))) return("labels")
    if (!is.null(law) && law %in% laws_of_classes) return("label")
    if (!is.null(law) && law %in% laws_of_numbers) return("target")
    if (is.numeric(values) && !is.factor(values)) "target" else "label"
}

# All responses: fields, options and the expressions of the fields.
read_responses <- function(response, family, data) {
    out <- list(fields = list(), options = list(), terms = list())
    laws <- list()
    sides <- NULL
    for (formula in as_formulas(response, "response")) {
        if (length(formula) != 3L) fail("response: expected a formula with a left side, such as stars ~ year")
        environment <- environment(formula)
        name <- field_name(formula[[2L]])
        values <- value_in(formula[[2L]], data, environment)
        law <- law_of(family, name)
        option <- kind_of_response(values, law)
        if (is.ordered(values) && is.null(law)) law <- "ordinal"
        kind <- c(label = "factor", labels = "list", target = "number")[[option]]
        out$fields <- c(out$fields, list(field_of(name, values, "response", kind)))
        out$options[[option]] <- c(out$options[[option]], name)
        if (is.ordered(values) && identical(law, "ordinal")) {
            out$options$levels[[name]] <- value_names(levels(droplevels(values)))
        }
        if (!is.null(law)) laws[[name]] <- law
        out$terms[[name]] <- list(role = "response", expression = formula[[2L]], environment = environment)
        side <- right_side(formula)
        if (!is.null(sides) && !identical(side, sides)) {
            fail("response: all responses have the same covariates; write the same right side for each")
        }
        sides <- side
    }
    if (length(laws) > 0L && length(out$fields) > 1L) out$options$response <- laws
    if (length(laws) > 0L && length(out$fields) == 1L) out$options$response <- laws[[1L]]
    if (is.list(out$options$levels) && length(out$fields) == 1L) out$options$levels <- out$options$levels[[1L]]
    if (!is.null(sides)) out <- add_covariates(out, sides, data, environment)
    out
}

add_covariates <- function(out, sides, data, environment) {
    add <- function(out, expression, role, option) {
        name <- field_name(expression)
        out$fields <- c(out$fields, list(field_of(name, value_in(expression, data, environment), role)))
        out$options[[option]] <- c(out$options[[option]], name)
        out$terms[[name]] <- list(role = role, expression = expression, environment = environment)
        out
    }
    for (expression in sides$covariates) out <- add(out, expression, "covariate", "covariates")
    for (expression in sides$exposure) out <- add(out, expression, "exposure", "exposure")
    names <- out$options$covariates
    # As the command has them; names with a comma or colon cannot be told by the option.
    out$options$covariates <- if (length(names) > 0L && !any(grepl("[,:]", names))) paste(names, collapse = ",")
    if (!sides$intercept) out$options$intercept <- FALSE
    out
}

# ---- prevalence ----

kept_calls <- c("+", "*", ":", "(", "|", "s", "number", "date", "factor", "list", "-")

# The formula as the engine reads it: functions that it does not have become names of fields with their values.
engine_terms <- function(expression) {
    if (is.call(expression)) {
        head <- as.character(expression[[1L]])[1L]
        if (!(head %in% kept_calls)) return(as.name(deparse1(expression)))
        rest <- lapply(as.list(expression)[-1L], engine_terms)
        return(as.call(c(expression[[1L]], rest)))
    }
    expression
}

prevalence_text <- function(formula) {
    if (is.character(formula)) return(formula)
    if (!inherits(formula, "formula") || length(formula) != 2L) {
        fail("prevalence: expected a formula without a left side, such as ~ party * s(year)")
    }
    deparse1(engine_terms(formula[[2L]]))
}

# The fields that settings name besides, with their values.
metadata_fields <- function(settings, known, data, environment) {
    wanted <- read_json(.Call(gbr_settings_fields, settings))
    out <- list(fields = list(), terms = list())
    for (field in wanted) {
        if (field$role != "prevalence" || field$name %in% known) next
        expression <- if (field$name %in% names(data)) as.name(field$name) else str2lang(name_or_call(field$name))
        values <- value_in(expression, data, environment)
        out$fields <- c(out$fields, list(field_of(field$name, values, "prevalence", field$kind)))
        out$terms[[field$name]] <- list(role = "prevalence", expression = expression, environment = environment)
    }
    out
}

name_or_call <- function(name) {
    parsed <- tryCatch(str2lang(name), error = function(e) NULL)
    if (is.null(parsed)) paste0("`", name, "`") else name
}

# The field of a formula with one name, as in content = ~ party.
one_field <- function(x, what) {
    if (is.character(x)) return(x)
    if (!inherits(x, "formula") || length(x) != 2L || !is.name(x[[2L]])) {
        fail(what, ": expected one field, as in ~ party")
    }
    as.character(x[[2L]])
}
