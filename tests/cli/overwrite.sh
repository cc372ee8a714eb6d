# No output overwrites an input of the same call, whatever its name and whether or not --force is given.
. "$TESTS/helpers"
. "$TESTS/data_helpers"
make_model
cp train.jsonl kept.jsonl
cp model.gibbous kept.gibbous
mkdir folder
ln -s ../train.jsonl folder/link.jsonl
ln train.jsonl hard.jsonl
printf 'topics = 2\n' >settings
printf 'one\n' >words
printf 'id,year\n0,1\n' >table
printf 'from,to\n1,2\n' >edges
try gibbous train train.jsonl -m train.jsonl -f
try gibbous train train.jsonl -m train.jsonl
try gibbous train train.jsonl -m folder/../train.jsonl -f
try gibbous train train.jsonl -m folder/link.jsonl -f
try gibbous train hard.jsonl -m train.jsonl -f
try gibbous train train.jsonl -m m --draws train.jsonl -f
try gibbous train train.jsonl -m m --draws ./m
try gibbous train train.jsonl -m m --checkpoint train.jsonl -f
try gibbous train train.jsonl -m m --checkpoint m
try gibbous train train.jsonl -m m.draws --checkpoint m
try gibbous train train.jsonl -m words --resume words -f
try gibbous train train.jsonl -m settings --config settings -f
try gibbous train train.jsonl -m words --vocabulary words -f
try gibbous train train.jsonl -m words --stopwords words -f
try gibbous train train.jsonl -m words --class-weight words -f
try gibbous train train.jsonl -m words --prior logistic-normal --psi-covariance words -f
try gibbous train train.jsonl -m table --metadata table --prior graph --group year -f
try gibbous train train.jsonl -m edges --prior graph --group year --graph edges -f
try gibbous train train.jsonl -m edges --prior graph --group year --graph grid:edges -f
try gibbous import train.jsonl -o train.jsonl -f
try gibbous predict test.jsonl -m model.gibbous -o test.jsonl -f
try gibbous predict test.jsonl -m model.gibbous -o model.gibbous -f
try gibbous infer test.jsonl -m model.gibbous -o test.jsonl -f
try gibbous evaluate test.jsonl -m model.gibbous --held-out completion -o model.gibbous -f
try gibbous topics model.gibbous -o model.gibbous -f
try gibbous topics model.gibbous --reference train.jsonl -o train.jsonl -f
try gibbous effects -m model.gibbous -o model.gibbous -f
cp model.gibbous model.gbc
try gibbous simulate -m model.gbc -o model.gbc -f
# what is behind a named input: shards of a manifest, whatever its name and theirs, and the documents of a folder
awk 'BEGIN { for (i = 0; i < 600; i++) printf "{\"id\":\"%d\",\"text\":\"aa%d bb cc dd%d\"}\n", i, i % 7, i % 5 }' >many.jsonl
gibbous import many.jsonl --min-df 1 --shards 3 -q -o all.gbc
mkdir -p docs/a docs/.hidden
printf 'apple pear\n' | tee docs/a/1.txt docs/a/2.txt docs/.hidden/3.txt >outside
ln -s ../../outside docs/a/link
ln -s docs/a/1.txt to-document
ln -s all-2-of-3.gbc to-shard
ln -s all.gbc other.gbc
cksum all*.gbc docs/a/*.txt train.jsonl >sums
try gibbous train all.gbc -k 3 --sweeps 4 -q -f -m all-1-of-3.gbc
try gibbous train other.gbc -k 3 --sweeps 4 -q -f -m to-shard
try gibbous predict all.gbc -m model.gibbous -q -f -o to-shard
try gibbous predict all.gbc -m model.gibbous -q -f -o all-3-of-3.gbc --sandbox
mv all.gbc renamed.gbc
try gibbous convert renamed.gbc -q -f -o all-3-of-3.gbc
try gibbous import renamed.gbc --shards 2 -q -f -o ./all-1-of-3.gbc
mv renamed.gbc all.gbc
try gibbous explain train.jsonl --nearest-in all.gbc -m model.gibbous -q -f -o all-1-of-3.gbc
try gibbous import docs --format dir --min-df 1 -q -f -o docs/a/1.txt
try gibbous import docs/ --format dir --min-df 1 -q -f -o to-document
try gibbous import docs/a --format dir --min-df 1 -q -f -o docs/../docs/a/2.txt --sandbox
gibbous import docs --format dir --min-df 1 -q -f -o docs/.hidden/3.txt # which is not read
gibbous import docs --format dir --min-df 1 -q -f -o outside
# each of the values between which select chooses
printf 'a: one\n' >seeds-1
cp seeds-1 seeds-2
cp seeds-1 'seeds-3,4'
try gibbous select train.jsonl -k 2,3 --seeds seeds-1,seeds-2 -q -f -o seeds-1
try gibbous select train.jsonl -k 2,3 --grid seeds=seeds-1,seeds-2 -q -f -o ./seeds-2
try gibbous select train.jsonl -k 2,3 --seeds 'seeds-1;seeds-3,4' -q -f -o 'seeds-3,4'
printf 'seeds = seeds-1,seeds-2\n' >choice
try gibbous select train.jsonl -k 2,3 --config choice -q -f -o seeds-2
cat seeds-*
rm seeds-* choice
# files that the options of a resumed run name
printf 'one\n' >stop.txt
gibbous train train.jsonl --stopwords stop.txt -k 2 --sweeps 4 --seed 1 -q --checkpoint run.gbk -m run.gibbous
try gibbous train train.jsonl --resume run.gbk -q -f -m stop.txt
try gibbous train train.jsonl --resume run.gbk -q -f -m run.gbk.draws
try gibbous train train.jsonl --resume run.gbk -q -f -m run.gbk
try gibbous diagnose --checkpoint run.gbk -q -f --table csv -o run.gbk.draws
cat stop.txt
cksum -- all*.gbc docs/a/*.txt train.jsonl | diff sums -
rm -rf all*.gbc many.jsonl docs outside to-* other.gbc sums stop.txt run.*
cmp train.jsonl kept.jsonl
cmp model.gibbous kept.gibbous
ls -A . folder
# a word that is a value of another option is a name like any other
gibbous train train.jsonl -k 2 --sweeps 2 --seed 1 -q -m none && rm none
# devices are no files to lose
gibbous predict test.jsonl -m model.gibbous -o /dev/null -q
# among thousands of inputs, too: they were compared up to the 2,048th
mkdir many
for i in $(seq 2100); do
    echo '{"text":"aa bb"}' >many/$i.jsonl
done
try gibbous import many/*.jsonl -o many/999.jsonl --min-df 1 -q -f 2>&1 | sed '1s/ many.* -o/ many\/*.jsonl -o/'
cat many/999.jsonl
