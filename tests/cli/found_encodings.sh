# Texts in other encodings, as Windows and older programs write them: their words, or the likely encoding.
. "$TESTS/found"
to() {
    iconv -f UTF-8 -t "$1"
}
german='text,label\nGr\303\274\303\237e \342\200\223 \342\200\236sch\303\266n\342\200\234,a\n'

echo 'CSV of Windows'
printf "$german" | to CP1252 >windows.csv
found windows.csv --label label
found windows.csv --label label --encoding windows-1252
found windows.csv --label label --encoding cp1252
echo "Excel's Unicode Text: UTF-16 with tabs and a mark"
(printf '\377\376' && printf 'text\tlabel\r\n\303\251t\303\251\ta\r\n' | to UTF-16LE) >unicode.txt
found unicode.txt --label label
(printf '\376\377' && printf 'text\tlabel\r\n\303\251t\303\251\ta\r\n' | to UTF-16BE) | gzip >unicode.tsv.gz
found unicode.tsv.gz --label label
echo 'UTF-16 without a mark'
printf '{"text":"\303\251t\303\251"}\n' | to UTF-16LE >wide.jsonl
found wide.jsonl
found wide.jsonl --encoding utf-16
echo 'UTF-8 with a mark'
printf '\357\273\277{"text":"\303\251t\303\251"}\n' >marked.jsonl
found marked.jsonl
echo 'Russian, in two ways'
printf 'text\n\320\237\320\273\320\276\321\205\320\260\321\217 \320\272\320\275\320\270\320\263\320\260 \320\276 \320\262\320\276\320\271\320\275\320\265\n' >utf8.tsv
to CP1251 <utf8.tsv >1251.tsv
to KOI8-R <utf8.tsv >koi8.tsv
found 1251.tsv
found koi8.tsv
found 1251.tsv --encoding windows-1251
found koi8.tsv --encoding koi8-r
echo 'Chinese and Japanese'
printf 'text\n\347\224\265\345\275\261 \351\235\236\345\270\270 \345\245\275\347\234\213\n' | to GB18030 >chinese.tsv
found chinese.tsv
found chinese.tsv --encoding gbk
printf 'text\n\343\201\223\343\201\256\346\230\240\347\224\273\343\201\257\343\201\250\343\201\246\n' | to SHIFT_JIS >japanese.tsv
found japanese.tsv
found japanese.tsv --encoding shift_jis
echo 'Polish'
printf 'text\nBy\305\202 to film kt\303\263ry si\304\231 podoba\305\202, z\305\202a ksi\304\205\305\274ka\n' | to CP1250 >polish.tsv
found polish.tsv
echo 'old Macs'
printf '{"text":"\303\251t\303\251"}\n' | to MACINTOSH >mac.jsonl
found mac.jsonl --encoding macintosh
echo 'a folder, of which some files are older'
mkdir -p mail/ham mail/spam
for i in 1 2 3 4 5 6 7; do
    printf 'caf\351 %d\n' $i >mail/spam/$i.txt
    printf 'caf\303\251 %d\n' $i >mail/ham/$i.txt
done
found mail
found mail --encoding latin-1 | head -n 2
echo 'mostly UTF-8: two files put together, or damage'
{
    echo text
    for i in 1 2 3 4 5 6; do printf 'caf\303\251 %d\n' $i; done
    printf 'caf\351\n'
} >mixed.tsv
found mixed.tsv
echo 'a name that nobody knows'
found mixed.tsv --encoding klingon
