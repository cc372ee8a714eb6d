/* corpus/writers/zip.c - a zip archive, written from its beginning to its end.
 *
 * Sizes and sums stand behind each file (a data descriptor), since they are not known before it.  All times are midnight of 1 January
 * 1980, the first day that zip knows: equal contents give equal bytes.  (APPNOTE.TXT of PKWARE, sections 4.3.7 to 4.3.16.) */
#include "corpus/writers/zip.h"

#include <string.h>

enum { VERSION = 20, SUMS_FOLLOW = 1 << 3, DEFLATED = 8, DAY_ONE = 1 << 5 | 1, REGULAR_FILE = 0100644, UNIX = 3 };

/* Little-endian. */
static void put(gb_zip *zip, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        (void)putc((int)(value >> (8 * i) & 255), zip->stream);
    zip->n_bytes += n;
}

static void put_text(gb_zip *zip, const char *text)
{
    (void)fputs(text, zip->stream);
    zip->n_bytes += strlen(text);
}

/* Version to extract with, flags, method, time, day. */
static void put_common(gb_zip *zip)
{
    put(zip, VERSION, 2);
    put(zip, SUMS_FOLLOW, 2);
    put(zip, DEFLATED, 2);
    put(zip, 0, 2);
    put(zip, DAY_ONE, 2);
}

static void put_sums(gb_zip *zip, const gb_deflate_sums *sums)
{
    put(zip, sums->crc, 4);
    put(zip, sums->n_packed, 4);
    put(zip, sums->n_bytes, 4);
}

gb_status gb_zip_begin_file(gb_zip *zip, const char *name, gb_error *err)
{
    struct gb_zip_file *file = &zip->file[zip->n_files];
    *file = (struct gb_zip_file){.at = zip->n_bytes};
    (void)snprintf(file->name, sizeof file->name, "%s", name);
    put(zip, 0x04034b50, 4);
    put_common(zip);
    put_sums(zip, &file->sums);
    put(zip, strlen(file->name), 2);
    put(zip, 0, 2);
    put_text(zip, file->name);
    return gb_deflate_begin(&zip->packing, GB_DEFLATE_RAW, zip->stream, err);
}

void gb_zip_write(gb_zip *zip, const void *bytes, size_t n)
{
    gb_deflate_write(zip->packing, bytes, n);
}

void gb_zip_end_file(gb_zip *zip)
{
    struct gb_zip_file *file = &zip->file[zip->n_files++];
    file->sums = gb_deflate_end(zip->packing);
    zip->packing = NULL;
    zip->n_bytes += file->sums.n_packed;
    put(zip, 0x08074b50, 4);
    put_sums(zip, &file->sums);
}

static void put_entry(gb_zip *zip, const struct gb_zip_file *file)
{
    put(zip, 0x02014b50, 4);
    put(zip, UNIX << 8 | VERSION, 2);
    put_common(zip);
    put_sums(zip, &file->sums);
    put(zip, strlen(file->name), 2);
    put(zip, 0, 2 + 2 + 2 + 2); /* no more fields, no comment, first disk, bytes */
    put(zip, (uint64_t)REGULAR_FILE << 16, 4);
    put(zip, file->at, 4);
    put_text(zip, file->name);
}

gb_status gb_zip_end(gb_zip *zip, gb_error *err)
{
    const uint64_t first = zip->n_bytes;
    uint64_t largest = 0;
    for (size_t i = 0; i < zip->n_files; i++) {
        put_entry(zip, &zip->file[i]);
        largest = zip->file[i].sums.n_bytes > largest ? zip->file[i].sums.n_bytes : largest;
    }
    const uint64_t length = zip->n_bytes - first;
    put(zip, 0x06054b50, 4);
    put(zip, 0, 2 + 2); /* this disk, first disk */
    put(zip, zip->n_files, 2);
    put(zip, zip->n_files, 2);
    put(zip, length, 4);
    put(zip, first, 4);
    put(zip, 0, 2);
    if (zip->n_bytes > GB_ZIP_MOST_BYTES || largest > GB_ZIP_MOST_BYTES)
        return gb_fail(err, GB_EARGUMENT,
                       "more than 4 GiB, the most that a zip archive holds; choose another format");
    return GB_OK;
}

void gb_zip_discard(gb_zip *zip)
{
    gb_deflate_discard(zip->packing);
    zip->packing = NULL;
}
