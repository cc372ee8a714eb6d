/* run/lines.c - lines of the file of the option "draws", beside a checkpoint. */
#include "run/lines.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the lines of draws";

enum { HEAD = 2 }; /* numbers before the bytes: chain, number of the line */

typedef struct chain_lines {
    uint64_t *offset; /* of the records of its lines */
    size_t n, capacity;
} chain_lines;

struct gb_lines {
    gb_record_log *log;
    size_t n_chains;
    chain_lines *chain;
};

static json_t *header_of(const gb_lines_of *of)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "gibbous", "draws 1", "as", "lines", "include", of->include,
                     "corpus", of->corpus, "description", of->description, "chains", (json_int_t)of->n_chains);
}

static gb_status make(gb_lines **out, const gb_lines_of *of, gb_error *err)
{
    gb_lines *l = NULL;
    gb_status st = gb_alloc(&l, 1, sizeof *l, what, err);
    if (st == GB_OK)
        st = gb_alloc(&l->chain, of->n_chains, sizeof *l->chain, what, err);
    if (st != GB_OK) {
        gb_lines_close(l);
        return st;
    }
    l->n_chains = of->n_chains;
    *out = l;
    return st;
}

/* ---- lines ----------------------------------------------------------------------------------------- */

static gb_status note(gb_lines *l, size_t chain, uint64_t index, uint64_t offset, gb_error *err)
{
    chain_lines *c = &l->chain[chain];
    const gb_status st = gb_grow(&c->offset, &c->capacity, (size_t)index + 1, sizeof *c->offset, what, err);
    if (st != GB_OK)
        return st;
    c->offset[index] = offset;
    c->n = (size_t)index + 1;
    return st;
}

gb_status gb_lines_append(gb_lines *l, size_t chain, const char *line, size_t n_bytes, gb_error *err)
{
    const uint64_t head[HEAD] = {chain, l->chain[chain].n};
    const gb_record_part parts[] = {{head, sizeof head}, {line, n_bytes}};
    gb_record_place place;
    const gb_status st = gb_record_log_append(l->log, 2, parts, &place, err);
    return st == GB_OK ? note(l, chain, head[1], place.offset, err) : st;
}

gb_status gb_lines_append_all(gb_lines *l, size_t chain, FILE *from, gb_error *err)
{
    gb_status st = GB_OK;
    char *line = NULL;
    size_t room = 0;
    for (ssize_t n; st == GB_OK && (n = getline(&line, &room, from)) > 0;)
        st = gb_lines_append(l, chain, line, (size_t)n, err);
    free(line);
    if (st == GB_OK && ferror(from))
        return gb_fail(err, GB_EIO, "the draws file: cannot read a temporary file: %s", strerror(errno));
    return st;
}

gb_status gb_lines_write(gb_lines *l, size_t chain, FILE *to, gb_error *err)
{
    const char *map;
    const gb_status st = gb_record_log_map(l->log, &map, err);
    for (size_t i = 0; st == GB_OK && i < l->chain[chain].n; i++) {
        uint64_t offset = l->chain[chain].offset[i];
        size_t length;
        const char *record = gb_record_log_next(l->log, &offset, &length);
        if (record == NULL)
            return gb_fail(err, GB_EFORMAT, "%s: damaged: a line is not whole", gb_record_log_path(l->log));
        (void)fwrite(record + HEAD * sizeof(uint64_t), 1, length - HEAD * sizeof(uint64_t), to);
    }
    if (st == GB_OK)
        gb_record_log_forget_pages(l->log);
    return st;
}

/* ---- the file -------------------------------------------------------------------------------------- */

gb_status gb_lines_create(gb_lines **out, const char *path, bool force, const gb_lines_of *of, gb_error *err)
{
    gb_lines *l = NULL;
    json_t *header = header_of(of);
    gb_status st = header == NULL ? gb_fail_memory(err, 0, what) : make(&l, of, err);
    if (st == GB_OK)
        st = gb_record_log_create(&l->log, path, force, header, err);
    json_decref(header);
    if (st == GB_OK)
        *out = l;
    else
        gb_lines_close(l);
    return st;
}

/* Up to the first record that is not whole, where the next one will be. */
static gb_status find_lines(gb_lines *l, gb_error *err)
{
    gb_status st;
    const char *map;
    size_t length;
    uint64_t next = gb_record_log_first(l->log), at = next;
    GB_TRY(gb_record_log_map(l->log, &map, err));
    for (const uint64_t *head; (head = gb_record_log_next(l->log, &next, &length)) != NULL; at = next) {
        if (length <= HEAD * sizeof *head || head[0] >= l->n_chains || head[1] > l->chain[head[0]].n)
            return gb_fail(err, GB_EFORMAT, "%s: damaged: a line that no chain has", gb_record_log_path(l->log));
        GB_TRY(note(l, (size_t)head[0], head[1], at, err));
    }
    GB_TRY(gb_record_log_truncate(l->log, at, err));
done:
    return st;
}

static gb_status leave(gb_lines *l, const uint64_t *n, gb_error *err)
{
    for (size_t c = 0; c < l->n_chains; c++) {
        if (l->chain[c].n < n[c])
            return gb_fail(err, GB_EFORMAT, "%s: has %zu of the %llu draws that chain %zu has kept",
                           gb_record_log_path(l->log), l->chain[c].n, (unsigned long long)n[c], c + 1);
        l->chain[c].n = (size_t)n[c];
    }
    return GB_OK;
}

gb_status gb_lines_open(gb_lines **out, const char *path, const gb_lines_of *of, const uint64_t *n, gb_error *err)
{
    gb_lines *l = NULL;
    json_t *header = header_of(of);
    gb_status st = header == NULL ? gb_fail_memory(err, 0, what) : make(&l, of, err);
    if (st == GB_OK)
        st = gb_record_log_open(&l->log, path, header, err);
    if (st == GB_EFORMAT)
        (void)gb_fail(err, st, "%s: `draws-include`, or the run, was another one; `draws` goes on as it began", path);
    json_decref(header);
    if (st == GB_OK)
        st = find_lines(l, err);
    if (st == GB_OK)
        st = leave(l, n, err);
    if (st == GB_OK)
        *out = l;
    else
        gb_lines_close(l);
    return st;
}

gb_status gb_lines_sync(gb_lines *l, gb_error *err)
{
    return gb_record_log_sync(l->log, err);
}

gb_status gb_lines_keep(gb_lines *l, gb_error *err)
{
    return gb_record_log_keep(l->log, err);
}

void gb_lines_close(gb_lines *l)
{
    if (l == NULL)
        return;
    gb_record_log_close(l->log);
    for (size_t c = 0; l->chain != NULL && c < l->n_chains; c++)
        gb_free(l->chain[c].offset);
    gb_free(l->chain);
    gb_free(l);
}
