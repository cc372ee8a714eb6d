/* Groups of documents and their graphs: shapes, edge lists, and the exact message of everything that can be wrong. */
#include "helper_documents.h"

#include "prior/group_graph.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DOCS = 8 };

/* ---- corpora ------------------------------------------------------------------------------------------- */

/* A corpus whose documents d1, d2, ... have these values in one or two fields; "" is a missing one. */
static gb_corpus *make_corpus(size_t n_fields, const char *const field[], const char *const value[][2])
{
    gb_corpus *c = NULL;
    gb_corpus_builder *b = NULL;
    size_t number[2];
    char id[24];
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    for (size_t i = 0; i < n_fields; i++)
        assert_int_equal(gb_corpus_builder_group(b, field[i], &number[i], NULL), GB_OK);
    for (size_t d = 0; value[d][0] != NULL; d++) {
        (void)snprintf(id, sizeof id, "d%zu", d + 1);
        assert_int_equal(gb_corpus_builder_document(b, id, strlen(id), NULL), GB_OK);
        assert_int_equal(gb_corpus_builder_token(b, 0, NULL), GB_OK);
        for (size_t i = 0; i < n_fields; i++)
            if (value[d][i][0] != '\0')
                assert_int_equal(gb_corpus_builder_class(b, number[i], value[d][i], strlen(value[d][i]), NULL),
                                 GB_OK);
    }
    assert_int_equal(gb_corpus_builder_word(b, "word", 4, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &c, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return c;
}

static gb_corpus *years(void)
{
    return make_corpus(1, (const char *const[]){"year"},
                       (const char *const[][2]){{"2001"}, {"1998"}, {"2001"}, {"999"}, {"1000"}, {NULL}});
}

static gb_corpus *venues_and_years(void)
{
    return make_corpus(
        2, (const char *const[]){"venue", "year"},
        (const char *const[][2]){{"NIPS", "2003"}, {"CVPR", "2001"}, {"NIPS", "2001"}, {"ICML", "2001"}, {NULL}});
}

/* "a b c": the names of all groups. */
static const char *names_of(const gb_groups *g)
{
    static char out[400];
    out[0] = '\0';
    for (uint32_t i = 0; i < gb_groups_count(g); i++) {
        const gb_view name = gb_groups_name(g, i);
        (void)snprintf(out + strlen(out), sizeof out - strlen(out), "%s%.*s", i > 0 ? " " : "", (int)name.length,
                       name.text);
    }
    return out;
}

/* "type a-b a-c*2; type ...": the edges, with weights other than 1. */
static const char *edges_of(const gb_groups *g, const gb_graph *graph)
{
    static char out[2000];
    size_t n = 0;
    out[0] = '\0';
    for (size_t r = 0; r < graph->n_types; r++) {
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%s", r > 0 ? "; " : "", graph->type[r]);
        for (size_t e = graph->type_start[r]; e < graph->type_start[r + 1]; e++) {
            const gb_edge *edge = &graph->edge[e];
            const gb_view from = gb_groups_name(g, edge->from), to = gb_groups_name(g, edge->to);
            n += (size_t)snprintf(out + n, sizeof out - n, " %.*s-%.*s", (int)from.length, from.text, (int)to.length,
                                  to.text);
            if (edge->weight < 1 || edge->weight > 1)
                n += (size_t)snprintf(out + n, sizeof out - n, "*%g", edge->weight);
        }
    }
    return out;
}

static void check_shape(gb_corpus *c, const char *shape, const char *names, const char *edges, uint32_t n_components)
{
    gb_groups *groups = NULL;
    gb_graph *graph = NULL;
    gb_error err = {0};
    uint32_t group_of[MAX_DOCS];
    if (gb_graph_of_corpus(shape, "", c, "corpus.csv", &groups, &graph, group_of, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_string_equal(names_of(groups), names);
    assert_string_equal(edges_of(groups, graph), edges);
    assert_int_equal(graph->n_components, n_components);
    assert_int_equal(graph->n_groups, gb_groups_count(groups));
    for (uint64_t d = 0; d < c->n_docs; d++)
        assert_in_range(group_of[d], 0, graph->n_groups - 1);
    gb_groups_free(groups);
    gb_graph_free(graph);
    gb_corpus_free(c);
}

static void check_failure(gb_corpus *c, const char *shape, gb_status code, const char *message)
{
    gb_groups *groups = NULL;
    gb_graph *graph = NULL;
    gb_error err = {0};
    uint32_t group_of[MAX_DOCS];
    assert_int_equal(gb_graph_of_corpus(shape, "", c, "corpus.csv", &groups, &graph, group_of, &err), code);
    assert_string_equal(err.message, message);
    assert_null(groups);
    assert_null(graph);
    gb_corpus_free(c);
}

/* ---- groups -------------------------------------------------------------------------------------------- */

static void groups_are_sorted_by_number_or_by_bytes(void **unused)
{
    (void)unused;
    check_shape(years(), "", "999 1000 1998 2001", "", 4);
    check_shape(venues_and_years(), "", "CVPR|2001 ICML|2001 NIPS|2001 NIPS|2003", "", 4);
    check_shape(
        make_corpus(1, (const char *const[]){"year"}, (const char *const[][2]){{"1000"}, {"999"}, {"n.d."}, {NULL}}),
        "", "1000 999 n.d.", "", 3);
}

static void documents_get_their_groups(void **unused)
{
    (void)unused;
    gb_corpus *c = venues_and_years();
    gb_groups *g = NULL;
    uint32_t group_of[MAX_DOCS], number;
    assert_int_equal(gb_groups_of_corpus(&g, c, "corpus.csv", NULL), GB_OK);
    assert_int_equal(gb_groups_number_documents(g, c, "corpus.csv", NULL, group_of, NULL), GB_OK);
    assert_memory_equal(group_of, ((uint32_t[]){3, 0, 2, 1}), 4 * sizeof(uint32_t));
    assert_string_equal(gb_groups_title(g), "venue|year");
    assert_int_equal(gb_groups_find(g, gb_view_of("NIPS|2003")), 3);
    assert_int_equal(gb_groups_find(g, gb_view_of("NIPS|2002")), GB_NO_GROUP);
    assert_int_equal(gb_groups_add(g, gb_view_of("NIPS|2002"), &number, NULL), GB_OK);
    assert_int_equal(number, 4);
    gb_groups_free(g);
    gb_corpus_free(c);
}

/* The fields may stand in another order in another corpus. */
static void groups_are_found_by_field_names(void **unused)
{
    (void)unused;
    gb_corpus *c = venues_and_years();
    gb_corpus *other = make_corpus(2, (const char *const[]){"year", "venue"},
                                   (const char *const[][2]){{"2001", "ICML"}, {"2003", "NIPS"}, {NULL}});
    gb_groups *g = NULL;
    uint32_t group_of[MAX_DOCS];
    assert_int_equal(gb_groups_of_corpus(&g, c, "corpus.csv", NULL), GB_OK);
    assert_int_equal(gb_groups_number_documents(g, other, "new.csv", NULL, group_of, NULL), GB_OK);
    assert_memory_equal(group_of, ((uint32_t[]){1, 3}), 2 * sizeof(uint32_t));
    gb_groups_free(g);
    gb_corpus_free(c);
    gb_corpus_free(other);
}

static void check_documents(gb_corpus *other, gb_status code, const char *message)
{
    gb_corpus *c = venues_and_years();
    gb_groups *g = NULL;
    gb_error err = {0};
    uint32_t group_of[MAX_DOCS];
    assert_int_equal(gb_groups_of_corpus(&g, c, "corpus.csv", NULL), GB_OK);
    assert_int_equal(gb_groups_number_documents(g, other, "new.csv", NULL, group_of, &err), code);
    assert_string_equal(err.message, message);
    gb_groups_free(g);
    gb_corpus_free(c);
    gb_corpus_free(other);
}

static void new_documents_need_a_group_that_is_there(void **unused)
{
    (void)unused;
    static const char *const fields[] = {"venue", "year"};
    check_documents(years(), GB_EARGUMENT,
                    "new.csv: no group field \"venue\"; the groups are named by venue|year (`group`)");
    check_documents(make_corpus(2, fields, (const char *const[][2]){{"NIPS", "2003"}, {"NIPS", ""}, {NULL}}),
                    GB_EFORMAT, "new.csv: document \"d2\": the group field \"year\" is missing");
    check_documents(make_corpus(2, fields, (const char *const[][2]){{"NIPS", "2007"}, {NULL}}), GB_EFORMAT,
                    "new.csv: document \"d1\": the group \"NIPS|2007\" is not in the graph");
    check_documents(make_corpus(2, fields, (const char *const[][2]){{"NI|PS", "2003"}, {NULL}}), GB_EFORMAT,
                    "new.csv: document \"d1\": the group field \"venue\" is \"NI|PS\"; with several fields \"|\" may "
                    "only stand between them");
}

static void a_missing_group_is_named(void **unused)
{
    (void)unused;
    const char *const message = "corpus.csv: document \"d2\": the group field \"year\" is missing";
    static const char *const shapes[] = {"", "chain", "complete"};
    for (size_t i = 0; i < 3; i++)
        check_failure(make_corpus(1, (const char *const[]){"year"}, (const char *const[][2]){{"1"}, {""}, {NULL}}),
                      shapes[i], GB_EFORMAT, message);
    check_failure(make_corpus(0, NULL, (const char *const[][2]){{"x"}, {NULL}}), "complete", GB_EARGUMENT,
                  "corpus.csv: no group field; `group` names the fields that make the groups");
    check_failure(make_corpus(0, NULL, (const char *const[][2]){{"x"}, {NULL}}), "edges.csv", GB_EARGUMENT,
                  "corpus.csv: no group field; `group` names the fields that make the groups");
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

static void a_chain_has_the_missing_years(void **unused)
{
    (void)unused;
    check_shape(
        make_corpus(1, (const char *const[]){"year"}, (const char *const[][2]){{"2001"}, {"1998"}, {"1999"}, {NULL}}),
        "chain", "1998 1999 2000 2001", "year 1998-1999 1999-2000 2000-2001", 1);
    check_shape(make_corpus(1, (const char *const[]){"week"}, (const char *const[][2]){{"-1"}, {"02"}, {NULL}}),
                "chain", "-1 0 1 02", "week -1-0 0-1 1-02", 1);
    check_shape(make_corpus(1, (const char *const[]){"year"}, (const char *const[][2]){{"7"}, {NULL}}), "chain", "7",
                "year", 1);
}

static void a_chain_takes_one_field_of_whole_numbers(void **unused)
{
    (void)unused;
    static const char *const year[] = {"year"};
    check_failure(venues_and_years(), "chain", GB_EARGUMENT, "`graph` chain takes 1 group field, and `group` has 2");
    check_failure(make_corpus(1, year, (const char *const[][2]){{"1999"}, {"2000"}, {"spring"}, {NULL}}), "chain",
                  GB_EFORMAT,
                  "corpus.csv: document \"d3\": the group field \"year\" is \"spring\"; a chain over it takes whole "
                  "numbers only");
    check_failure(make_corpus(1, year, (const char *const[][2]){{"1999"}, {"2000.5"}, {NULL}}), "chain", GB_EFORMAT,
                  "corpus.csv: document \"d2\": the group field \"year\" is \"2000.5\"; a chain over it takes whole "
                  "numbers only");
    check_failure(make_corpus(1, year, (const char *const[][2]){{"1"}, {"01"}, {NULL}}), "chain", GB_EFORMAT,
                  "corpus.csv: document \"d1\": the group field \"year\" is \"1\"; a chain over it takes each number "
                  "in one spelling only");
    check_failure(make_corpus(1, year, (const char *const[][2]){{"-9223372036854775808"}, {"2001"}, {NULL}}), "chain",
                  GB_EFORMAT,
                  "corpus.csv: the group field \"year\" goes from -9223372036854775808 to 2001; a chain has a group "
                  "for each number between, 10000000 at most");
    check_failure(make_corpus(1, year, (const char *const[][2]){{""}, {NULL}}), "chain", GB_EFORMAT,
                  "corpus.csv: no document has the group field \"year\"");
}

static void a_complete_graph_joins_all(void **unused)
{
    (void)unused;
    check_shape(
        make_corpus(1, (const char *const[]){"venue"}, (const char *const[][2]){{"c"}, {"a"}, {"b"}, {"a"}, {NULL}}),
        "complete", "a b c", "edge a-b a-c b-c", 1);
}

static void a_grid_has_a_chain_in_each_row(void **unused)
{
    (void)unused;
    check_shape(make_corpus(2, (const char *const[]){"venue", "year"},
                            (const char *const[][2]){{"B", "3"}, {"A", "1"}, {NULL}}),
                "grid", "A|1 A|2 A|3 B|1 B|2 B|3",
                "year A|1-A|2 A|2-A|3 B|1-B|2 B|2-B|3; venue A|1-B|1 A|2-B|2 A|3-B|3", 1);
    check_failure(years(), "grid", GB_EARGUMENT, "`graph` grid takes 2 group fields, and `group` has 1");
    check_failure(make_corpus(2, (const char *const[]){"year", "venue"},
                              (const char *const[][2]){{"1", "A"}, {"2", "B"}, {NULL}}),
                  "grid", GB_EFORMAT,
                  "corpus.csv: document \"d1\": the group field \"venue\" is \"A\"; a chain over it takes whole "
                  "numbers only");
    check_failure(make_corpus(2, (const char *const[]){"venue", "year"},
                              (const char *const[][2]){{"A", "1"}, {"B", "6000000"}, {NULL}}),
                  "grid", GB_EFORMAT, "`graph` grid: 2 times 6000000 groups, expected at most 10000000");
}

/* ---- edge lists ---------------------------------------------------------------------------------------- */

static void check_list(const char *text, const char *names, const char *edges, uint32_t n_components)
{
    gb_corpus *c = make_corpus(1, (const char *const[]){"venue"}, (const char *const[][2]){{"B"}, {"A"}, {NULL}});
    write_file("edges.csv", text);
    check_shape(c, "edges.csv", names, edges, n_components);
}

static void an_edge_list_is_read(void **unused)
{
    (void)unused;
    check_list("from,to\nA,B\nC,D\n", "A B C D", "edge A-B C-D", 2);
    /* other columns are passed over, parallel edges add up, an empty `to` declares a group */
    check_list("note,weight,to,from\nx,2,B,A\ny,0.5,A,B\nz,,,E\nw,1,B,E\nv,,,F\n", "A B E F", "edge A-B*2.5 B-E", 2);
    /* one pair in two types is two edges */
    check_list("from,to,type\nB,A,cites\nA,B,near by\nA,C,cites\nB,A,cites\n", "B A C",
               "cites B-A*2 A-C; near by B-A", 1);
    check_list("from,to\nA,\nB,\n", "A B", "", 2);
    gb_corpus *c = make_corpus(1, (const char *const[]){"venue"}, (const char *const[][2]){{"a,b"}, {NULL}});
    write_file("edges.tsv", "from\tto\tweight\na,b\tc\"d\t3\n");
    check_shape(c, "edges.tsv", "a,b c\"d", "edge a,b-c\"d*3", 1);
}

static void check_bad_list(const char *text, const char *message)
{
    gb_corpus *c = make_corpus(1, (const char *const[]){"venue"}, (const char *const[][2]){{"B"}, {"A"}, {NULL}});
    write_file("bad.csv", text);
    check_failure(c, "bad.csv", GB_EFORMAT, message);
}

static void what_is_wrong_in_an_edge_list_is_named(void **unused)
{
    (void)unused;
    check_bad_list("from,to\nA,C\n", "corpus.csv: document \"d1\": the group \"B\" is not in the graph");
    check_bad_list("from,to\nA,B\nA,A\n", "bad.csv:3: the edge joins \"A\" with itself, expected two groups");
    static const char *const weights[] = {"-1", "0", "inf", "nan", "1e999", "", "x"};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        char text[60], message[120];
        (void)snprintf(text, sizeof text, "from,to,weight\nA,B,1\nA,B,%s\n", weights[i]);
        (void)snprintf(message, sizeof message, "bad.csv:3: the weight \"%s\" is not a finite number above 0",
                       weights[i]);
        check_bad_list(text, message);
    }
    check_bad_list("from,to,type\nA,B,Year\nA,C,\n", "bad.csv:3: the edge has no type, expected a name");
    check_bad_list("from,to,type\nA,B,near by\nA,C,cites\nB,C,NearBy\n",
                   "bad.csv:4: the edge type \"NearBy\" is written \"near by\" in line 2, expected one "
                   "spelling");
    check_bad_list("from,to,weight\nA,B,1\nC,,2\n", "bad.csv:3: an edge without a group under \"to\"");
    check_bad_list("from,to\nA,B\n,B\n", "bad.csv:3: \"\" is no group, expected a name");
    check_bad_list("from,weight\nA,1\n", "bad.csv:1: no column \"to\"; the columns are from, weight");
    check_bad_list("from,to\n", "bad.csv: no rows, expected edges");
    check_bad_list("", "bad.csv: no rows, expected edges");
    check_bad_list("from,to\nA,B\nA\n", "bad.csv:3: 1 cell, expected 2 as in the header");
    check_bad_list("from,to,weight\nA,B,1e308\nB,A,1e308\n", "the weights of parallel edges have no finite sum");
}

static void edges_are_given_in_place_as_json(void **unused)
{
    (void)unused;
    gb_corpus *c = make_corpus(1, (const char *const[]){"venue"}, (const char *const[][2]){{"B"}, {"A"}, {NULL}});
    check_shape(c, "[[\"A\", \"B\"], [\"B\", \"C\", 2.5], [\"E\"]]", "A B C E", "edge A-B B-C*2.5", 2);
    c = make_corpus(1, (const char *const[]){"venue"}, (const char *const[][2]){{"B"}, {"A"}, {NULL}});
    check_shape(c, "[[\"A\", \"B\", 1, \"near\"], [\"A\", \"B\"]]", "A B", "near A-B; edge A-B", 1);
    static const char *const wrong[][2] = {
        {"[", "`graph` begins with [ but is not a JSON array of edges"},
        {"[]", "`graph` begins with [ but is not a JSON array of edges"},
        {"[[\"A\", \"B\"], [1, 2]]",
         "`graph`, edge 2: not [\"from\"] or [\"from\", \"to\", weight, \"type\"], the last two optional"},
        {"[[\"A\", \"B\", 1, \"x\", 1]]",
         "`graph`, edge 1: not [\"from\"] or [\"from\", \"to\", weight, \"type\"], the last two optional"},
        {"[[\"A\", \"\"]]", "`graph`, edge 1: an edge without a second group"},
        {"[[\"A\", \"B\", 0]]", "`graph`, edge 1: the weight 0 is not a finite number above 0"},
        {"[[\"A\", \"B\", 1, \" \"]]", "`graph`, edge 1: the edge has no type, expected a name"},
        {"[[\"A\", \"A\"]]", "`graph`, edge 1: the edge joins \"A\" with itself, expected two groups"},
        {"[[\"A\"], [\"\"]]", "`graph`, edge 2: \"\" is no group, expected a name"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        c = make_corpus(1, (const char *const[]){"venue"}, (const char *const[][2]){{"B"}, {"A"}, {NULL}});
        check_failure(c, wrong[i][0], GB_EFORMAT, wrong[i][1]);
    }
}

static void an_id_of_too_few_values_is_unknown(void **unused)
{
    (void)unused;
    write_file("two.csv", "from,to\nNIPS|2001,NIPS|2003\nNIPS,ICML\n");
    check_failure(venues_and_years(), "two.csv", GB_EFORMAT, "two.csv:3: \"NIPS\" is no group, expected venue|year");
    write_file("two.csv", "from,to\nNIPS|2001,NIPS||2003\n");
    check_failure(venues_and_years(), "two.csv", GB_EFORMAT,
                  "two.csv:2: \"NIPS||2003\" is no group, expected venue|year");
}

static void a_grid_over_an_edge_list(void **unused)
{
    (void)unused;
    write_file("rows.csv", "from,to,weight,type\nNIPS,ICML,3,cites\nCVPR,ECCV,1,near\n");
    check_shape(venues_and_years(), "grid:rows.csv",
                "CVPR|2001 CVPR|2002 CVPR|2003 ICML|2001 ICML|2002 ICML|2003 NIPS|2001 NIPS|2002 NIPS|2003 "
                "ECCV|2001 ECCV|2002 ECCV|2003",
                "year CVPR|2001-CVPR|2002 CVPR|2002-CVPR|2003 ICML|2001-ICML|2002 ICML|2002-ICML|2003 "
                "NIPS|2001-NIPS|2002 NIPS|2002-NIPS|2003 ECCV|2001-ECCV|2002 ECCV|2002-ECCV|2003; "
                "cites ICML|2001-NIPS|2001*3 ICML|2002-NIPS|2002*3 ICML|2003-NIPS|2003*3; "
                "near CVPR|2001-ECCV|2001 CVPR|2002-ECCV|2002 CVPR|2003-ECCV|2003",
                2);
    write_file("rows.csv", "from,to,type\nNIPS,ICML,Year\n");
    check_failure(venues_and_years(), "grid:rows.csv", GB_EFORMAT,
                  "rows.csv:2: the edge type \"Year\" has the name of the chain's edges, expected another");
    write_file("rows.csv", "from,to\nNIPS,ICML\nNIPS,N|S\n");
    check_failure(venues_and_years(), "grid:rows.csv", GB_EFORMAT,
                  "`graph` grid:rows.csv: \"N|S|2001\" is no group, expected venue|year");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_sorted_by_number_or_by_bytes),
        cmocka_unit_test(documents_get_their_groups),
        cmocka_unit_test(groups_are_found_by_field_names),
        cmocka_unit_test(new_documents_need_a_group_that_is_there),
        cmocka_unit_test(a_missing_group_is_named),
        cmocka_unit_test(a_chain_has_the_missing_years),
        cmocka_unit_test(a_chain_takes_one_field_of_whole_numbers),
        cmocka_unit_test(a_complete_graph_joins_all),
        cmocka_unit_test(a_grid_has_a_chain_in_each_row),
        cmocka_unit_test(an_edge_list_is_read),
        cmocka_unit_test(what_is_wrong_in_an_edge_list_is_named),
        cmocka_unit_test(edges_are_given_in_place_as_json),
        cmocka_unit_test(an_id_of_too_few_values_is_unknown),
        cmocka_unit_test(a_grid_over_an_edge_list),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
