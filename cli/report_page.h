/* cli/report_page.h - the page of reports, as cmake/report.cmake has it made of report/: all of it but the data. */
#ifndef GB_CLI_REPORT_PAGE_H
#define GB_CLI_REPORT_PAGE_H

#include <stddef.h>

typedef struct gb_report_parts {
    const char *missing; /* why there is no page; "" if there is one */
    const unsigned char *before, *after;
    size_t n_before, n_after;
} gb_report_parts;

extern const gb_report_parts gb_report_page;

#endif
