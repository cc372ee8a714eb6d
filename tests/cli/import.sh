# A corpus file holds what the input held, and the same input gives the same bytes.
. "$TESTS/helpers"
cat >in.csv <<END
id,body,stars,tags
1,"The cat sat, the cat ran",5,"a,b"
2,,4,
3,dog,,b
END
try gibbous import in.csv --text body --label stars --labels tags -o in.gbc
gibbous import in.csv --text body --label stars --labels tags -q -o again.gbc
cmp in.gbc again.gbc
gibbous info in.gbc | sed '/^preparation/,$d'
gibbous info in.gbc --json >a
gibbous info in.csv --text body --label stars --labels tags --json | cmp - a
gibbous info in.csv --text body --stopwords en --no-lowercase | sed -n '/^words/p'
