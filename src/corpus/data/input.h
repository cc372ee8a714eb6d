/* corpus/data/input.h - the bytes of an input, unpacked, as lines of checked UTF-8.
 *
 * Reads files, pipes and standard input; gzip, xz, zstd and bzip2; and files inside zip and tar archives.  Every line
 * is checked: bytes that are not UTF-8, and NUL bytes, are an error that names file, line and byte. */
#ifndef GB_CORPUS_DATA_INPUT_H
#define GB_CORPUS_DATA_INPUT_H

#include "corpus/data/read_watch.h"
#include "corpus/data/view.h"

typedef struct gb_input gb_input;

/** Longest line, and longest file where a file is a document: 1 GiB. */
#define GB_MAX_LINE ((size_t)1 << 30)

/** Open `path` ("-" is standard input) at its first file; an empty archive has no line.
 * @param watch  asked for every block of input, and several times a second where there is nothing to read yet; borrowed; may
 *               be NULL */
gb_status gb_input_open(gb_input **out, const char *path, gb_read_watch *watch, gb_error *err);
void gb_input_close(gb_input *in);

/** Before the first line: the encoding of all files that have no byte order mark.
 *  @param encoding  "auto", which is UTF-8, or a name that iconv knows; copied
 *  @return GB_OK, GB_EARGUMENT (no such encoding) or GB_ENOMEM */
gb_status gb_input_set_encoding(gb_input *in, const char *encoding, gb_error *err);
/** What gb_input_open() got. */
gb_read_watch *gb_input_watch(const gb_input *in);
/** True after a GB_EFORMAT that is about bytes of another encoding. */
bool gb_input_has_bad_bytes(const gb_input *in);

/** In an archive: go on to the next regular file; *found is false at the end.  Hidden files, links and devices are
 * passed over.  Anything but an archive holds one file. */
gb_status gb_input_next_file(gb_input *in, bool *found, gb_error *err);
/** True when the bytes come from a zip or tar archive. */
bool gb_input_is_archive(const gb_input *in);
/** The name of the current file within the archive, NULL when there is none. */
const char *gb_input_member(const gb_input *in);
/** For messages: the path, or that "-" is standard input. */
const char *gb_input_shown(const char *path);
/** For messages: that, and the file within an archive. */
const char *gb_input_name(const gb_input *in);

/** The next line without its end (LF or CR LF), valid until the next call; *end is true when there is none.  A byte
 * order mark before the first line tells the encoding, and is left out. */
gb_status gb_input_line(gb_input *in, gb_view *line, bool *end, gb_error *err);
/** The same without moving on and without checking the text. */
gb_status gb_input_peek(gb_input *in, gb_view *line, bool *end, gb_error *err);
/** Whether the next line of a pipe, a terminal or a socket has not come yet. */
bool gb_input_would_wait(const gb_input *in);
/** Number of the line that gb_input_line() gave last, from 1. */
uint64_t gb_input_line_number(const gb_input *in);
/** An error unless the input ended with the current file (an archive read as one file holds a second). */
gb_status gb_input_expect_last(gb_input *in, gb_error *err);

/** GB_EFORMAT with "name:line: " before the message; the line read last, or the one given. */
gb_status gb_input_fail(const gb_input *in, gb_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
gb_status gb_input_fail_at(const gb_input *in, uint64_t line, gb_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Put "name:line: " before the message of a GB_EFORMAT that does not know its place yet; returns the status. */
gb_status gb_input_place(const gb_input *in, gb_error *err, gb_status status);

/** The extension of a file name in lower case, without "." and after .gz, .xz, .zst and .bz2; "" when there is none.
 * `out` holds at least 16 bytes. */
void gb_file_extension(const char *path, char out[16]);

#endif
