# An archive that was cut between two files is refused; several behind one another are one; other bytes behind it are refused.
. "$TESTS/helpers"
mkdir texts
for i in 1 2 3; do echo "apple pear plum" >texts/$i.txt; done
tar -cf whole.tar texts/1.txt texts/2.txt texts/3.txt
read_it() {
    try gibbous import "$1" --format dir --min-df 1 -q -f -o x.gbc
    gibbous info x.gbc | sed -n 's/^documents */documents /p'
    rm -f x.gbc
}
read_it whole.tar 2>&1
head -c 2048 whole.tar >cut.tar  # of three files, each with a block for its header
head -c 3072 whole.tar >ends.tar # without its end
head -c 3584 whole.tar >one.tar  # with one of two blocks
(cat whole.tar && head -c 600 /dev/zero | tr '\0' 'x') >behind.tar
(cat whole.tar && cat whole.tar) >double.tar
gzip -n <cut.tar >cut.tar.gz
head -c 10240 /dev/zero >empty.tar
for f in cut.tar ends.tar one.tar behind.tar double.tar cut.tar.gz empty.tar; do read_it $f 2>/dev/null; done
# Its files have a name when it comes through a pipe, too.
printf '{"text":{}}\n' >bad.jsonl
tar -cf bad.tar bad.jsonl
try gibbous import - -q -o x.gbc <bad.tar 2>&1
