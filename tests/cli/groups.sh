# Fields that name groups: into a corpus file, from a second table, and chosen from it.
. "$TESTS/helpers"
cat >in.csv <<END
id,text,venue,year,tags
1,"The cat sat",NIPS,2003,a
2,"the cat ran",CVPR,2001,"a,b"
3,"dog and cat",NIPS,,b
END
gibbous import in.csv --group venue,year -o in.gbc -q
gibbous info in.gbc | sed '/^preparation/,$d'
gibbous info in.csv --group venue --group year --json >a
gibbous info in.gbc --json | cmp - a
gibbous info in.gbc --group year --json | grep -o '"groups":.*"preparation"'
# the same through the reader that leaves words out
gibbous import in.gbc --min-df 2 -o less.gbc -q
gibbous info less.gbc --json | grep -o '"groups":.*"preparation"'
# from a table beside the documents, joined by id
printf 'id\tplace\n2\tRome\n1\tOslo\n' >places.tsv
gibbous info in.csv --metadata places.tsv --group place --json | grep -o '"groups":.*"preparation"'
# JSON Lines: a number is named by its digits
printf '{"text":"a cat","year":2003,"many":["x","y"]}\n' >in.jsonl
gibbous info in.jsonl --group year --json | grep -o '"groups":.*"preparation"'
# what does not fit
try gibbous info in.jsonl --group many
try gibbous info in.csv --group venue,,year
try gibbous info in.csv --group venue --label venue
try gibbous info in.csv --group place
try gibbous info in.gbc --group tags
try gibbous info in.gbc --label venue
try gibbous info in.gbc --covariates year
