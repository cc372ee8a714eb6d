/* chain/token_pass.h - one pass over all tokens of a chain. */
#ifndef GB_CHAIN_TOKEN_PASS_H
#define GB_CHAIN_TOKEN_PASS_H

#include "chain/chain.h"

/** Cut the documents into blocks: c->doc_order and c->doc_block.  Tokens must have been grouped by word block.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_chain_cut_documents(gb_chain *c, gb_error *err);

/** Redraw all tokens by the block schedule (docs/model.md, the block-collapsed sampler); with GB_DRAW_INIT, give each its first
 * topic; with GB_DRAW_START, as if there were no responses.  @return GB_OK or GB_ENUMERIC */
gb_status gb_chain_draw_cells(gb_chain *c, gb_purpose purpose, gb_error *err);

/** Redraw all tokens as the chain's treatment of topics and its sampler have it.  @param may_adapt  as gb_sweep_parts.may_adapt */
gb_status gb_chain_draw_tokens(gb_chain *c, bool may_adapt, gb_error *err);

#endif
