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
try gibbous train train.jsonl -m table --metadata table --group year -f
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
cmp train.jsonl kept.jsonl
cmp model.gibbous kept.gibbous
ls -A . folder
# a word that is a value of another option is a name like any other
gibbous train train.jsonl -k 2 --sweeps 2 --seed 1 -q -m none && rm none
# devices are no files to lose
gibbous predict test.jsonl -m model.gibbous -o /dev/null -q
