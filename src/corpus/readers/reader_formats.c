/* corpus/readers/reader_formats.c - the formats that documents are read from; a new one is a row here. */
#include "corpus/readers/reader.h"

extern const gb_reader_ops gb_reader_jsonl, gb_reader_csv, gb_reader_tsv, gb_reader_dir, gb_reader_mallet,
    gb_reader_fasttext, gb_reader_svmlight, gb_reader_uci, gb_reader_ldac, gb_reader_mtx, gb_reader_npz, gb_reader_vw,
    gb_reader_corpus;

/* In the order in which the first line is tried. */
const gb_reader_ops *const gb_reader_formats[] = {
    &gb_reader_mtx,      &gb_reader_fasttext, &gb_reader_jsonl,  &gb_reader_vw,  &gb_reader_uci,
    &gb_reader_svmlight, &gb_reader_tsv,      &gb_reader_csv,    &gb_reader_dir, &gb_reader_mallet,
    &gb_reader_ldac,     &gb_reader_npz,      &gb_reader_corpus, NULL,
};
