/* cli/report_json.h - the data of a report as JSON that may stand inside a page. */
#ifndef GB_CLI_REPORT_JSON_H
#define GB_CLI_REPORT_JSON_H

#include "common.h"

/** Digits of numbers that a page shows with three, and of those of which it shows differences. */
enum { CLI_SHORT = 4, CLI_LONG = 9 };

/** A number, rounded to so many significant digits; null if it is not finite. */
json_t *cli_report_real(double value, int digits);

/** Every `stride`-th of them, `n` in all. */
json_t *cli_report_reals(uint64_t n, const double *value, uint64_t stride, int digits);

/** An answer: {"columns": [{"name", "title", "kind", "unit", "help"}], "cells": [one for each column], "weights": [numbers], "doubts": [texts],
 * "remarks": [texts], "left_out": number}.  Cells are numbers, texts as {"levels": [texts], "codes": [numbers of levels]}, or lists of texts;
 * null is missing.  Of very many rows those that say most are there, in their order, and the others are left out. */
gb_status cli_report_table(const gb_table *table, json_t **out, gb_error *err);

/** Print an object so that no text in it can end the element of the page that holds it: "<", ">" and "&" are written as \u003c, ...
 *
 * @return GB_OK, or GB_ENOMEM (nothing is printed, or a part); who ends the stream tells of what could not be written */
gb_status cli_report_put(const json_t *object, FILE *stream, gb_error *err);

#endif
