# Targets, covariates, exposure and document weights: into a corpus file, and chosen from it.
. "$TESTS/helpers"
cat >in.csv <<END
id,text,genre,score,year,director,companies,readers,weight
1,"The cat sat",comedy,7.5,1962,Varda,"b,a",100,1
2,"the cat ran",,NA,,Ozu,,50,0
3,"dog and cat",drama,-2,1953,Ozu,",",0.5,2
4,"a dog",drama,3e1,1960,,b,,
END
fields="--label genre --target score --covariates year,director,companies:list --exposure readers --document-weight weight"
gibbous import in.csv $fields -o in.gbc -q
gibbous info in.gbc | sed '/^preparation/,$d'
gibbous info in.csv $fields --json >a
gibbous info in.gbc --json | cmp - a
gibbous info in.gbc --covariates director --json | grep -o '"covariates":.*"exposure"'
gibbous import in.csv $fields -o again.gbc -q
cmp in.gbc again.gbc
# the same through the reader that leaves words out
gibbous import in.gbc --min-df 2 -o less.gbc -q
gibbous info less.gbc --json | sed 's/,"preparation".*//;s/.*"labels"//' >b
sed 's/,"preparation".*//;s/.*"labels"//' a | cmp - b
# what does not fit
try gibbous info in.csv --target director
try gibbous info in.csv --target score --covariates score
try gibbous info in.csv --exposure score
try gibbous info in.csv --document-weight score
try gibbous info in.csv --covariates year,,director
try gibbous info in.csv --covariates director:number
try gibbous info in.gbc --target genre
try gibbous info in.gbc --label year
try gibbous info in.gbc --covariates year:factor
try gibbous info in.gbc --covariates actor
try gibbous info in.gbc --exposure weight
# numbers, but for one: it is said that they are none
sed 's/,1953,/,"1953,5",/' in.csv >mixed.csv
gibbous info mixed.csv --covariates year,companies:list 2>&1 >/dev/null
gibbous info mixed.csv --covariates year:factor,companies:list 2>&1 >/dev/null
gibbous info mixed.csv --covariates director,companies:list 2>&1 >/dev/null
# of new documents, a covariate that is named again without its kind has that of training
gibbous train in.csv --target score --covariates year,companies:list -k 2 --sweeps 4 --min-df 1 --impute mean --seed 1 -q -m m.gibbous
gibbous predict in.csv -m m.gibbous --seed 1 -q >c
gibbous predict in.csv -m m.gibbous --covariates companies,year --seed 1 -q | cmp - c
try gibbous predict in.csv -m m.gibbous --covariates companies,year:factor -q
