/* chain/views.c - the arrays of a chain by name. */
#include "base/memory.h"
#include "chain/chain.h"
#include "store/layout.h"

#include <string.h>

/* Scratch memory and structures are nobody's business. */
static bool is_shown(const gb_array *array)
{
    return array->life != GB_SCRATCH && array->type != GB_OPAQUE && array->at != NULL;
}

static void count(void *context, const gb_array *array)
{
    size_t *n = context;
    *n += is_shown(array);
}

static void show(void *context, const gb_array *array)
{
    gb_chain *c = context;
    if (!is_shown(array))
        return;
    gb_array_view *v = &c->seen.view[c->seen.n++];
    *v = (gb_array_view){.name = array->name,
                         .type = gb_dtype_name(array->type),
                         .data = gb_array_count(array) == 0 ? NULL : gb_array_first(array),
                         .n_dimensions = array->n_dimensions,
                         .is_state = array->life == GB_STATE,
                         .is_fixed = array->capacity == NULL && array->at != NULL};
    uint64_t stride = gb_dtype_size(array->type);
    for (size_t i = array->n_dimensions; i-- > 0;) {
        v->shape[i] = array->shape[i];
        v->stride[i] = stride;
        stride *= array->shape[i];
    }
}

/* Tokens lie in an order of the chain's own. */
static bool order_topics(gb_chain *c)
{
    if (gb_grow(&c->seen.topic, &c->seen.topic_capacity, c->corpus->n_tokens, sizeof *c->seen.topic,
                "topics in the order of the corpus", NULL) != GB_OK)
        return false;
    for (uint64_t d = 0; d < c->corpus->n_docs; d++)
        gb_chain_assignment(c, d, c->seen.topic + c->corpus->doc_start[d]);
    return true;
}

/* Arrays that grow may have moved. */
static bool look_again(gb_chain *c)
{
    const uint64_t n = gb_chain_n_arrays(c);
    c->seen.n = 0;
    if (gb_grow(&c->seen.view, &c->seen.capacity, n, sizeof *c->seen.view, "the arrays of a chain", NULL) != GB_OK)
        return false;
    gb_chain_list(c, &(gb_array_visitor){.visit = show, .context = c});
    return true;
}

/* The topics are put in order only for those who ask. */
static const gb_array_view *give(gb_chain *c, gb_array_view *view)
{
    if (strcmp(view->name, "topics") != 0)
        return view;
    view->data = order_topics(c) ? c->seen.topic : NULL;
    return view->data == NULL ? NULL : view;
}

uint64_t gb_chain_n_arrays(const gb_chain *c)
{
    size_t n = 0;
    gb_arrays_visit(gb_chain_list, c, &(gb_array_visitor){.visit = count, .context = &n});
    return n;
}

const gb_array_view *gb_chain_array(gb_chain *c, uint64_t index)
{
    return look_again(c) && index < c->seen.n ? give(c, &c->seen.view[index]) : NULL;
}

const gb_array_view *gb_chain_find_array(gb_chain *c, const char *name)
{
    const size_t n = look_again(c) ? c->seen.n : 0;
    for (size_t i = 0; i < n; i++)
        if (strcmp(c->seen.view[i].name, name) == 0 && c->seen.view[i].data != NULL)
            return give(c, &c->seen.view[i]);
    return NULL;
}
