# The config file: its lines, its errors, and the command line above it.
. "$TESTS/helpers"
# the words and classes that are drawn are no matter of this test
masked() {
    try "$@" | sed 's/"text":"[^"]*","label":"[^"]*"/.../; s/[0-9]* tokens/N tokens/'
}
cat >good.conf <<END
# a comment

topics = 3
  documents=2
length =   4
vocabulary-size = 100
intercept = yes
label = stars
sweeps = 10
END
masked gibbous simulate --seed 1 --config good.conf
masked gibbous simulate --seed 1 --config good.conf --documents 1
masked gibbous simulate --seed 1 --documents 1 --config=good.conf -q
for line in 'topisc = 5' 'documents = 0' 'topics' 'topics 5' '= 5' 'config = other.conf' 'intercept = maybe' \
    '--topics = 5' 'sweeps = 0' 'topics = 4'; do
    printf 'topics = 3\n%s\n' "$line" >bad.conf
    try gibbous simulate --config bad.conf
done
printf 'topics = 3\000\n' >bad.conf
try gibbous simulate --config bad.conf
printf 'topics = 3\r\ndocuments = 1\r\nlength = 2\r\nseed = 5' >dos.conf
masked gibbous simulate --config dos.conf -q
try gibbous simulate --config missing.conf
try gibbous simulate --config .
