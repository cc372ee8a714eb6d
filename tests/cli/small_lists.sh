# The limit of memory holds for what comes beside the documents, too: tables, vocabularies, stop words, packed or not.
. "$TESTS/helpers"
printf '{"text":"apple pear","label":"a"}\n{"text":"plum pear","label":"b"}\n' >t.jsonl
(echo label && yes a | head -n 20000000) | gzip >rows.tsv.gz # 40 MB in 40 kB
seq -f 'w%08.0f' 500000 | gzip >words.gz
ls -l rows.tsv.gz words.gz | awk '{ print $NF, $5 < 2000000 }'
limited() {
    try gibbous import t.jsonl --min-df 1 -q -o x.gbc --memory-limit 5M "$@"
}
limited --metadata rows.tsv.gz --label label
limited --vocabulary words.gz
limited --stopwords words.gz
# what the lists have and what the documents have count together, of all inputs
try gibbous import t.jsonl --min-df 1 -q -o x.gbc --memory-limit 20M --vocabulary words.gz
try gibbous import t.jsonl t.jsonl --min-df 1 -q -o x.gbc --memory-limit 20M --stopwords words.gz
seq 1000 >few
try gibbous import t.jsonl --min-df 1 -q -o x.gbc --memory-limit 20M --stopwords few
ls
