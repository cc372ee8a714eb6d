# A corpus in several files is the same corpus, to whoever reads it.
. "$TESTS/helpers"
gibbous simulate -k 4 --documents 1100 --length 20 --seed 3 -o in.jsonl -q
gibbous import in.jsonl --label label -o whole.gbc -q
try gibbous import in.jsonl --label label --shards 3 -o all.gbc
ls
gibbous info all.gbc | sed -n '1,5p;/^shards/,$p'
gibbous info all.gbc --json | sed 's/,"shards":.*/}/' >a
gibbous info whole.gbc --json | cmp - a
gibbous info all-2-of-3.gbc | sed -n '2p;/^  shard/,$p'

echo "# back in one file"
gibbous import all.gbc -o back.gbc -q
cmp whole.gbc back.gbc
echo "# the same model, from one file and from three, also of chosen fields and words"
for name in whole all; do
    gibbous train $name.gbc -k 4 --sweeps 12 --seed 1 -m $name.gibbous -q
    gibbous train $name.gbc --min-df 3 --label label -k 4 --sweeps 12 --seed 1 -m $name.some -q
    gibbous predict $name.gbc -m whole.gibbous -o $name.csv -q
    gibbous evaluate $name.gbc -m whole.gibbous >$name.scores
done
cmp whole.gibbous all.gibbous
cmp whole.some all.some
cmp whole.csv all.csv
cmp whole.scores all.scores
echo "# a shard is a corpus file"
gibbous predict all-2-of-3.gbc -m whole.gibbous -q | wc -l
echo "# also from another folder, and by a link"
mkdir sub
ln -s ../all.gbc sub/link.gbc
cd sub
gibbous import ../all.gbc -o a.gbc -q
gibbous import link.gbc -o b.gbc -q
cmp a.gbc ../whole.gbc
cmp b.gbc ../whole.gbc
cd ..

echo "# several inputs, and several corpus files"
head -n 700 in.jsonl >a.jsonl
tail -n +701 in.jsonl >b.jsonl
try gibbous import a.jsonl b.jsonl --label label -o ab.gbc
gibbous info ab.gbc | sed -n '2,5p'
gibbous import a.jsonl --label label -o a.gbc -q
gibbous import b.jsonl --label label -o b.gbc -q
gibbous import a.gbc b.gbc --shards 2 -o merged.gbc -q
gibbous train merged.gbc -k 4 --sweeps 12 --seed 1 -m merged.gibbous -q
cmp whole.gibbous merged.gibbous
echo "# limits count over all inputs"
gibbous import in.jsonl --label label --min-df 30 --max-vocabulary 200 -o few.gbc -q
gibbous import a.gbc b.gbc --min-df 30 --max-vocabulary 200 -o few2.gbc -q
for name in few few2; do
    gibbous train $name.gbc -k 4 --sweeps 12 --seed 1 -m $name.gibbous -q
done
cmp few.gibbous few2.gibbous

echo "# inputs that do not go together"
try gibbous import a.gbc b.jsonl --label topic -o x.gbc
gibbous import b.jsonl -o plain.gbc -q
try gibbous import a.gbc plain.gbc -o x.gbc
gibbous import b.jsonl --label label --no-lowercase -o upper.gbc -q
try gibbous import a.gbc upper.gbc -o x.gbc

echo "# damage"
try gibbous import in.jsonl --shards 6 -o x.gbc
try gibbous import in.jsonl --shards 3 -o all.gbc
try gibbous import in.jsonl --shards 513 -o x.gbc
mkdir d
copy() {
    cp all.gbc all-?-of-3.gbc d/
}
copy
rm d/all-2-of-3.gbc
try gibbous info d/all.gbc
cp all-1-of-3.gbc d/all-2-of-3.gbc
try gibbous info d/all.gbc
copy
head -c 30000 all-3-of-3.gbc >d/all-3-of-3.gbc
try gibbous info d/all.gbc
copy
printf x | dd of=d/all-1-of-3.gbc bs=1 seek=20000 conv=notrunc 2>/dev/null
try gibbous info d/all.gbc
copy
printf x | dd of=d/all.gbc bs=1 seek=5000 conv=notrunc 2>/dev/null
try gibbous info d/all.gbc
echo "# a shard of another import"
copy
head -n 1000 in.jsonl | sed 's/label/field/' >other.jsonl
gibbous import other.jsonl --label field --shards 3 -o other.gbc -q
cp other-3-of-3.gbc d/all-3-of-3.gbc
try gibbous info d/all.gbc
copy
sed 's/"text":"/"text":"unheard /' in.jsonl | gibbous import - --format jsonl --label label --shards 3 -o other.gbc -q -f
cp other-3-of-3.gbc d/all-3-of-3.gbc
try gibbous info d/all.gbc
copy
tac in.jsonl | gibbous import - --format jsonl --label label --shards 3 -o other.gbc -q -f
cp other-1-of-3.gbc d/all-1-of-3.gbc
try gibbous info d/all.gbc | sed 's/[0-9a-f]\{32\}/FINGERPRINT/g'

echo "# a write that fails leaves what was there"
copy
(
    ulimit -f 60
    trap '' XFSZ
    gibbous import whole.gbc --shards 3 -o d/all.gbc -f 2>&1 | sed 's/: [A-Z].*//'
)
ls -A d
gibbous info d/all.gbc --json | sed 's/,"shards":.*/}/' | cmp - a
echo "# no input is overwritten"
try gibbous import all.gbc --shards 3 -o all.gbc -f
try gibbous import all-1-of-3.gbc all-2-of-3.gbc all-3-of-3.gbc --shards 3 -o all.gbc -f
echo "# shards that an import before has left are told of"
try gibbous import in.jsonl --label label --shards 2 -o all.gbc -f
try gibbous import in.jsonl --label label -o all.gbc -f
