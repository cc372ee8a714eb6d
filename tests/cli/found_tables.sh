# Tables as programs write them: the words, labels and numbers of the first documents, or a message with the remedy.
. "$TESTS/found"

echo 'Excel in Europe: UTF-8 with a mark, semicolons, decimal commas'
printf '\357\273\277sep=;\r\nid;text;price\r\n7;"gro\303\237; ""neu""";1.234,50\r\n8;klein;0,5\r\n' >excel.csv
found excel.csv --target price
echo 'R: write.csv() with names of rows; write.table() with tabs'
printf '"","text","label"\n"1","a good, old dog","x"\n"2","cat",NA\n' >write.csv
found write.csv --label label
printf '"text"\t"label"\n"1"\t"a good dog"\t"x"\n"2"\t"cat"\tNA\n' >write.tsv
found write.tsv --label label
printf '"text","label"\n"1","a \\"good\\" dog","x"\n' >escaped.csv
found escaped.csv --label label
echo 'IMDB at Kaggle'
printf 'review,sentiment\n"One of the other reviewers said, ""hooked"".<br /><br />Right.",positive\nBad 9" film,negative\n' >imdb.csv
found imdb.csv --text review --label sentiment
echo 'Sentiment140: no names, Latin-1'
printf '"0","1467810369","Mon Apr 06 22:19:45 PDT 2009","NO_QUERY","u","caf\351 - a, bad day"\n' >sentiment140.csv
found sentiment140.csv --text '#6' --id '#2' --label '#1' --encoding latin-1
echo 'SMS Spam Collection: no name, no names'
printf 'ham\tGo until jurong point, "crazy.. \nspam\tFree entry in 2 a wkly comp\n' >SMSSpamCollection
found SMSSpamCollection --text '#2' --label '#1'
echo 'MovieLens: two colons, lists with bars'
printf "1::Toy Story (1995)::Animation|Children's\n2::Heat (1995)::Action\n" >movies.dat
found movies.dat --format csv --separator :: --id '#1' --text '#2' --labels '#3' --label-separator '|'
echo 'AG News: title and text'
printf '"3","Wall St. Bears","Reuters - Short-sellers, again"\n"4","Oil","AFP"\n' >ag_news.csv
found ag_news.csv --text '#2,#3' --label '#1'
echo 'bars, and a first column with blanks around it'
printf ' id | text | label\n 1 | a dog | x\n' >bars.csv
found bars.csv --label label
echo 'quoted numbers, and numbers with thousands'
printf 'text,y\na dog,"3.5"\ncat,"1,234"\n' >quoted.csv
found quoted.csv --target y
echo 'pandas: to_csv(sep="\\t") quotes cells with line ends'
printf 'text\ty\n"one\ttwo"\ta\n' >pandas.tsv
found pandas.tsv --label y
found pandas.tsv --label y --format csv --separator tab
echo 'an unquoted comma, a missing end, line ends of old Macs'
printf 'text,y\ngood, really,a\n' >comma.csv
found comma.csv --label y
printf 'text,y\r"a dog",a\rcat,b\r' >mac.csv
found mac.csv --label y
echo 'files that are no text'
printf 'PAR1\025\004\377\000' >films.parquet
found films.parquet
printf 'PK\003\004\024\000\006\000\010\000\000\000!\000b\356\235h^\001\000\000\220\004\000\000\023\000\010\002[Content_Types].xml \242\004\002(\240\000' >films.xlsx
found films.xlsx
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' >films.csv
found films.csv
printf 'RDX3\nX\n\000\000\000\003' | gzip >films.rda
found films.rda
printf 'ORC\010\377' >films.orc
found films.orc
printf '$FL3@(#) SPSS DATA FILE\377' >films.sav
found films.sav
printf '\200\004\225' >films.pkl
found films.pkl
printf '\377\377\377\377\170\001\000\000' >stream.arrow
found stream.arrow
printf '<?xml version="1.0"?>\n<films><film/></films>\n' >films.xml
found films.xml
echo 'separators at the ends of rows; titles, other separators and cells that are no numbers'
printf 'text,label\na dog,b,\na cat,c,\n' >ends.csv
found ends.csv --label label
printf 'Films of 2020\n\ntext,label\na dog,b\n' >title.csv
found title.csv --label label
printf 'text^label\na dog^b\n' >caret.csv
found caret.csv --label label
printf 'text,label\na dog,b\n' >commas.tsv
found commas.tsv --label label
printf 'text;y\na;1.234,50\nb;1 234,50\nc;1\302\240234,50\n' >thousands.csv
found thousands.csv --target y
for cell in 45% '$5' . '#VALUE!' - 05/06/2019 "1'234"; do
    printf 'text,y\na,%s\n' "$cell" >cell.csv
    found cell.csv --target y
done
echo 'dates as other programs write them'
printf 'text;day\na;Mon May 06 12:00:00 +0000 2019\nb;6.5.2019\nc;May 6, 2019\nd;06-May-2019\n' >dates.csv
found dates.csv --covariates day:date
echo 'a metadata table with semicolons'
printf '{"id":"a","text":"a dog"}\n' >texts.jsonl
printf 'id;party;share\na;left;0,25\n' >parties.csv
found texts.jsonl --metadata parties.csv --label party --covariates share
echo 'a folder of tables'
mkdir parts
printf 'text,label\na dog,x\n' >parts/1.csv
printf 'text,label\na cat,y\n' >parts/2.csv
found parts --label label
found parts
found parts --format dir
found parts/1.csv parts/2.csv --label label
echo 'decimal commas between tabs'
printf 'text\ty\na dog\t1,5\ncat\t1.234,50\n' >commas.tsv
found commas.tsv --target y
