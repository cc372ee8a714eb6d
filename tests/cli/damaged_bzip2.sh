# A file that bzip2 packed and that is damaged in a later stream, cut there, or has other bytes behind it is refused; so are xz and zstd.
. "$TESTS/helpers"
import() {
    try gibbous import "$@" --min-df 1 -q -f -o x.gbc
    gibbous info x.gbc | sed -n 's/^documents */documents /p'
    rm -f x.gbc
}
rows() {
    for i in $(seq $1); do printf '{"text":"apple pear plum %d"}\n' $((i % 4)); done
}
rows 100 >t.jsonl
for how in bzip2 xz zstd; do
    $how -c t.jsonl >one
    n=$(wc -c <one)
    cat one one >streams.jsonl
    (cat one && head -c 4096 /dev/zero) >zeros.jsonl
    (cat one && tail -c +2 one) >first.jsonl # of the second stream, the first byte is not there
    (cat one && head -c 4 one && printf x && tail -c +6 one) >fifth.jsonl
    (cat one && head -c 1 one) >cut1.jsonl
    (cat one && head -c 7 one) >cut7.jsonl
    (cat one && head -c 13 one) >cut13.jsonl
    (cat one && head -c $((n - 1)) one) >cut_end.jsonl
    (cat one && echo '{"text":"apple"}') >text.jsonl
    (cat one && head -c 3000 /dev/zero && echo plum) >later.jsonl
    for f in streams zeros first fifth cut1 cut7 cut13 cut_end text later; do
        echo "$how: $f"
        import $f.jsonl 2>/dev/null | grep -v '^[$g]'
    done
done
# what is said, by a file and by a pipe that gives little at a time
bzip2 -c t.jsonl >one
(cat one && echo plum) >behind.jsonl.bz2
import behind.jsonl.bz2 2>/dev/null
(cat one && sleep 0.2 && printf p && sleep 0.2 && printf l) | import - --format jsonl 2>/dev/null
(cat one && sleep 0.2 && head -c 300000 /dev/zero) | import - --format jsonl
gzip -nc behind.jsonl.bz2 >behind.jsonl.bz2.gz
import behind.jsonl.bz2.gz 2>/dev/null
gzip -nc one >one.jsonl.bz2.gz
import one.jsonl.bz2.gz
bzip2 -c one >twice.jsonl.bz2
import twice.jsonl.bz2 2>/dev/null
bzip2 -c </dev/null >none && (cat none && echo '{"text":"apple"}') >none.jsonl.bz2
import none.jsonl.bz2 2>/dev/null
# an archive
mkdir texts
for i in 1 2 3; do echo "apple pear plum" >texts/$i.txt; done
tar -cf - texts/1.txt texts/2.txt texts/3.txt | bzip2 >texts.tar.bz2
(cat texts.tar.bz2 && echo plum) >behind.tar.bz2
cat texts.tar.bz2 texts.tar.bz2 >double.tar.bz2
(cat texts.tar.bz2 && head -c 10000 /dev/zero) >zeros.tar.bz2
for f in texts behind double zeros; do import $f.tar.bz2 --format dir 2>/dev/null; done
# a list beside the documents
for list in 'the' 'apple'; do echo $list; done | bzip2 >words.bz2 && echo pear >>words.bz2
import t.jsonl --stopwords words.bz2 2>/dev/null
