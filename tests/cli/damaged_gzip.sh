# A packed file that is damaged, cut short, or has other bytes behind it is refused, and by its name.
. "$TESTS/helpers"
# Change the byte at $2, counted from the end of the file.
change() {
    at=$(($(wc -c <"$1") - $2))
    byte=$(tail -c +$((at + 1)) "$1" | head -c 1 | od -An -tu1)
    printf "$(printf '\\%03o' $((byte ^ 1)))" | dd of="$1" bs=1 seek=$at conv=notrunc 2>/dev/null
}
for i in $(seq 20); do printf '{"text":"apple pear plum %d"}\n' $((i % 4)); done >t.jsonl
gzip -n <t.jsonl >good.jsonl.gz
cat good.jsonl.gz good.jsonl.gz >members.jsonl.gz
cp good.jsonl.gz checksum.jsonl.gz && change checksum.jsonl.gz 6
cp good.jsonl.gz length.jsonl.gz && change length.jsonl.gz 2
(cat good.jsonl.gz && head -c 7 good.jsonl.gz) >cut.jsonl.gz
(cat good.jsonl.gz && echo plum) >behind.jsonl.gz
for f in members checksum length cut behind; do
    try gibbous import $f.jsonl.gz --min-df 1 -q -f -o x.gbc | grep -v '^$ '
done
(head -c 1 good.jsonl.gz && sleep 0.2 && tail -c +2 good.jsonl.gz) | try gibbous import - --format jsonl -q -f -o x.gbc
try gibbous import - --format jsonl -q -f -o x.gbc <checksum.jsonl.gz
# an archive: tar has no sum of its texts
mkdir texts
for i in 1 2 3; do echo "apple pear plum" >texts/$i.txt; done
tar -cf - texts | gzip -n >texts.tar.gz
try gibbous import texts.tar.gz --format dir --min-df 1 -q -f -o x.gbc
change texts.tar.gz 6
try gibbous import texts.tar.gz --format dir --min-df 1 -q -f -o x.gbc
# lists and tables beside the documents
for list in 'the' 'apple'; do echo $list; done | gzip -n >words.gz && change words.gz 2
try gibbous import t.jsonl --stopwords words.gz --min-df 1 -q -f -o x.gbc
try gibbous import t.jsonl --vocabulary words.gz -q -f -o x.gbc
(echo stars && seq 20) | gzip -n >table.tsv.gz && change table.tsv.gz 6
try gibbous import t.jsonl --metadata table.tsv.gz --target stars --min-df 1 -q -f -o x.gbc
ls
