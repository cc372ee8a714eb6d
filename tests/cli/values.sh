# Values that are not of the option's kind or outside its range.
. "$TESTS/helpers"
try gibbous train x --topics 0
try gibbous train x --topics=65536
try gibbous train x -k abc
try gibbous train x -k5x
try gibbous train x --topics=
try gibbous train x --topics ''
try gibbous train x --topics 99999999999999999999
try gibbous train x --margin abc
try gibbous train x --margin nan
try gibbous train x --margin 1e999
try gibbous train x --margin 1,5
try gibbous train x --prior x
try gibbous train x --task softmax
try gibbous train x --label ''
try gibbous train x --label "$(printf 'a\377')"
try gibbous train x --topics "$(printf '1\n2')"
try gibbous topics --words 0
# the numbers by which files of earlier versions say auto
try gibbous train x --seed -1
try gibbous train x --threads 0
try gibbous train x --beta 0
try gibbous select x --chains 0
printf 'seed = -1\n' >settings
try gibbous train x --config settings

# stop words by code and by name, several lists at once, printed
printf 'Goal\n' >mine.txt
gibbous info --stopwords german >de.txt
gibbous info --stopwords de | cmp - de.txt && gibbous info --stopwords en,German,mine.txt | grep -cx -e goal -e und -e the
try gibbous info --stopwords klingon
