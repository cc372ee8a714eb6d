# Damage that libarchive finds no words for, or names by its own functions, has a message of ours.
. "$TESTS/helpers"
# several bits of a file in an archive were changed
base64 -d >reason.zip <<END
UEsDBBQACAAIAPm0d10AAAAAAAAAABAAAAAFABwAMS50eHRVVAkAA7XABGu1wARrdXgLAAEEAAAAAAQAAAAASywoyElVKEhNLFIo
yCnN5QIAUEsHCJkSvF8SAAAAEAAAAFBLAQAeAxQACAAIAPm0d12ZErxfEgAAABAAAAAFABgAAAAAAAEAAACkgQAAAAAxLnR4dFVU
BQADtcAEa3V4CwABBAAAAAAEAAAAAFBLhQYAAAAAAQABAEsAAABhAAAAAAA=
END
try gibbous import reason.zip --format dir -q -o x.gbc
# an archive without files, where one is expected
head -c 10240 /dev/zero >empty.tar
try gibbous import empty.tar --format jsonl -q -o x.gbc
try gibbous import empty.tar --format csv --text body -q -o x.gbc
try gibbous info empty.tar --format dir
printf '{"text":"apple"}\n' >t.jsonl
try gibbous import t.jsonl --stopwords empty.tar -q -o x.gbc
try gibbous import t.jsonl --vocabulary empty.tar -q -o x.gbc
ls
