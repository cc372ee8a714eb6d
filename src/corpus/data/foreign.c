/* corpus/data/foreign.c - files that are no text, known by their first bytes, and what makes text of them. */
#include "corpus/data/foreign.h"

#include <string.h>
#include <strings.h>

typedef struct magic {
    size_t at, n;
    const char *bytes, *says;
} magic;

#define AS_LINES        "(...).to_json(\"documents.jsonl\", orient=\"records\", lines=True) makes JSON Lines of it"
#define READ_HERE(read) "the Python package reads it, and pandas." read AS_LINES
#define WITH_PANDAS(read)                                                                                            \
    "the Python package takes the frame that pandas." read "(...) gives, and pandas." read AS_LINES
#define OF_R   "is a file of R; there, write.csv(frame, \"documents.csv\", row.names = FALSE) makes CSV of it"
#define OFFICE "is a file of Excel, Word or LibreOffice; save it there as CSV (UTF-8), or as plain text"

static const magic files[] = {
    {0, 4, "PAR1", "is a Parquet file; " READ_HERE("read_parquet")},
    {0, 6, "ARROW1", "is an Arrow file; " READ_HERE("read_feather")},
    {0, 4, "FEA1", "is a Feather file; " READ_HERE("read_feather")},
    {30, 19, "[Content_Types].xml", OFFICE},
    {30, 11, "_rels/.rels", OFFICE},
    {30, 9, "docProps/", OFFICE},
    {30, 3, "xl/", OFFICE},
    {30, 8, "mimetype", OFFICE},
    {0, 4, "\xD0\xCF\x11\xE0", OFFICE},
    {0, 5, "{\\rtf", OFFICE},
    {0, 5, "%PDF-", "is a PDF file; pdftotext makes a text of it"},
    {0, 15, "SQLite format 3", "is an SQLite database; sqlite3 -header -csv FILE 'select ...' makes CSV of it"},
    {0, 4, "\x89HDF", "is an HDF5 file; " WITH_PANDAS("read_hdf")},
    {0, 8, "\xFF\xFF\xFF\xFF\x78\x01\0\0",
     "is a stream of Arrow; pyarrow.ipc.open_stream(...).read_all() gives a table, which the Python package takes"},
    {0, 3, "ORC", "is an ORC file; " WITH_PANDAS("read_orc")},
    {0, 4, "Obj\1", "is an Avro file; avro-tools tojson makes JSON Lines of it"},
    {0, 4, "$FL2", "is an SPSS file; " WITH_PANDAS("read_spss")},
    {0, 4, "$FL3", "is an SPSS file; " WITH_PANDAS("read_spss")},
    {84, 8, "SAS FILE", "is a SAS file; " WITH_PANDAS("read_sas")},
    {0, 11, "<stata_dta>", "is a Stata file; " WITH_PANDAS("read_stata")},
    {0, 6, "\x93NUMPY",
     "is a NumPy array; the Python package takes matrices of counts, `embeddings` rows of numbers"},
    {0, 2, "\x80\x03", "is a Python pickle; " WITH_PANDAS("read_pickle")},
    {0, 2, "\x80\x04", "is a Python pickle; " WITH_PANDAS("read_pickle")},
    {0, 2, "\x80\x05", "is a Python pickle; " WITH_PANDAS("read_pickle")},
};

const char *gb_foreign_file(const char *head, size_t n)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const magic *m = &files[i];
        const int is_zip = n >= 4 && memcmp(head, "PK\x03\x04", 4) == 0;
        if (n >= m->at + m->n && memcmp(head + m->at, m->bytes, m->n) == 0 && (m->at != 30 || is_zip))
            return m->says;
    }
    return NULL;
}

const char *gb_foreign_text(const char *line, size_t n)
{
    static const magic texts[] = {
        {0, 14, "<!doctype html", "is a page of HTML, perhaps from a link to another page than the file itself"},
        {0, 5, "<html", "is a page of HTML, perhaps from a link to another page than the file itself"},
        {0, 5, "<?xml",
         "is XML; pandas.read_xml(...).to_json(\"documents.jsonl\", orient=\"records\", lines=True) makes "
         "JSON Lines of it, if its records are alike"},
        {0, 4, "RDX2", OF_R},
        {0, 4, "RDX3", OF_R},
        {0, 40, "version https://git-lfs.github.com/spec/", "is a pointer of Git LFS; git lfs pull gets the file"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (n >= texts[i].n && strncasecmp(line, texts[i].bytes, texts[i].n) == 0)
            return texts[i].says;
    return NULL;
}
