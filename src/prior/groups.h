/* prior/groups.h - groups of documents, named by one or several fields (--group).
 *
 * The name of a group is the document's value in the field, or its values joined by "|" in the order of the fields:
 * "CVPR|2003".  With several fields a value must not contain "|" itself, so that names and values belong together. */
#ifndef GB_PRIOR_GROUPS_H
#define GB_PRIOR_GROUPS_H

#include "corpus/data/corpus.h"
#include "corpus/data/view.h"

/** A set of groups, numbered from 0 in the order in which they were added. */
typedef struct gb_groups gb_groups;

#define GB_NO_GROUP UINT32_MAX /* not in the set */
enum { GB_MAX_GROUPS = 10000000 };

/** An empty set for groups named by these fields; `field` may be empty (n_fields 0) when groups have only names. */
gb_status gb_groups_create(gb_groups **out, size_t n_fields, const char *const *field, gb_error *err);
void gb_groups_free(gb_groups *g);

/** The number of that group, which is added if it is new.  GB_EFORMAT when the name does not have one value for each
 * field, or cannot stand in a table. */
gb_status gb_groups_add(gb_groups *g, gb_view name, uint32_t *number, gb_error *err);
/** The number of the group of that name, or GB_NO_GROUP. */
uint32_t gb_groups_find(const gb_groups *g, gb_view name);

uint32_t gb_groups_count(const gb_groups *g);
/** Bytes of memory of their names, and of what finds them. */
uint64_t gb_groups_bytes(const gb_groups *g);
/** Valid until the next group is added; a NUL follows the text. */
gb_view gb_groups_name(const gb_groups *g, uint32_t number);
size_t gb_groups_n_fields(const gb_groups *g);
const char *gb_groups_field(const gb_groups *g, size_t i);
/** The fields' names joined by "|", for messages and headings: "venue|year". */
const char *gb_groups_title(const gb_groups *g);

/** The names of the corpus's group fields, the fields with role GB_ROLE_GROUP, in their order: at most `room` are written.
 * @return how many there are */
size_t gb_group_fields(const gb_corpus *corpus, size_t room, const char **field);

/**
 * The groups that the documents of a corpus have, sorted by their values (as numbers where all of a field are numbers,
 * else by bytes).
 *
 * @param path  of the corpus, for messages
 * @return GB_OK, GB_EARGUMENT (no group field), GB_EFORMAT (a document without a group, named) or GB_ENOMEM
 */
gb_status gb_groups_of_corpus(gb_groups **out, const gb_corpus *corpus, const char *path, gb_error *err);

/**
 * The group of each document, by the fields that the set of groups has, whatever other group fields there are.
 *
 * @param others    receives groups that are not in the set; their numbers go on after those of the set.  NULL: none may be
 * @param group_of  receives a number for each document
 * @return GB_OK, GB_EARGUMENT (the corpus lacks a field), GB_EFORMAT (a document without a group, or with one that may not be;
 *         both name document and group) or GB_ENOMEM
 */
gb_status gb_groups_number_documents(const gb_groups *g, const gb_corpus *corpus, const char *path, gb_groups *others,
                                     uint32_t *group_of, gb_error *err);

#endif
