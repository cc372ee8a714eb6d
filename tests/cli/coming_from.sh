# Every command of the pages for people who come from other programs, on texts like those that the pages name.
. "$TESTS/helpers"
awk 'BEGIN {
    srand(7)
    split("team match goal league court judge law trial river forest bird rain bank price stock trade", word, " ")
    print "text,rating,day,year,blog,stars" >"posts.csv"
    print "text,rating,day,year,blog,stars" >"new.csv"
    for (d = 1; d <= 48; d++) {
        rating = rand() < .5 ? "Liberal" : "Conservative"; day = 1 + int(rand() * 366); text = ""
        first = int(4 * rand())
        for (i = 0; i < 12; i++) {
            topic = rand() < .7 ? first : rating == "Liberal" ? 0 : 1
            text = text " " word[1 + 4 * topic + int(rand() * 4)]
        }
        print text "," rating "," day "," 2004 + d % 5 ",blog" d % 9 "," 1 + first % 5 >(d > 40 ? "new.csv" : "posts.csv")
        print d " x " text >"mallet.txt"
        print text >"text" d ".txt"
    }
}'
mkdir -p texts/a texts/b
mv text?.txt texts/a
mv text*.txt texts/b
printf 'sport: team match\nlaw: court judge\n' >seeds.txt
printf 'topic,name\n1,first\n' >names.csv
python3 -c '
import struct
header = "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (40, 2)}".ljust(117) + "\n"
with open("posts.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<80f", *[(i * 7 % 11) / 11 for i in range(80)]))'
for page in coming-from columns; do
    echo "== $page"
    # inline code that begins with the name of the program, with the bars that tables need escaped
    grep -o '`gibbous [^`]*`' "$TESTS/../../docs/$page.md" | tr -d '`' | sed 's/\\|/|/g' >commands
    test -s commands
    while read -r command; do
        echo "$command"
        sh -uc "$command" >out 2>&1 || { echo "[$?]"; cat out; }
    done <commands
done
