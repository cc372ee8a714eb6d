/* corpus/writers/writer_formats.c - the formats that a corpus is written in; a new one is a row here. */
#include "corpus/writers/writer.h"

extern const gb_writer_ops gb_writer_jsonl, gb_writer_csv, gb_writer_tsv, gb_writer_mallet, gb_writer_fasttext,
    gb_writer_svmlight, gb_writer_uci, gb_writer_ldac, gb_writer_mtx, gb_writer_npz;

const gb_writer_ops *const gb_writer_formats[] = {
    &gb_writer_jsonl,    &gb_writer_csv,      &gb_writer_tsv, &gb_writer_mallet,
    &gb_writer_fasttext, &gb_writer_svmlight, &gb_writer_uci, &gb_writer_ldac,
    &gb_writer_mtx,      &gb_writer_npz,      NULL,
};
