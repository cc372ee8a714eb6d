/* run/teams.h - the chains of a run shared out over teams of ranks.
 *
 * A run on R ranks, of which C chains are not done, has the smaller number of teams, or fewer if the option "teams" says so.
 * Ranks that follow each other are a team: 8 ranks and 4 chains are four teams of two.  Chains are dealt out in turn.  A team
 * draws its chains one after the other, and all teams draw at the same time.
 *
 * Between two rounds, some sweeps of each team, all ranks meet.  Only there they learn how far other teams are, stop, and write
 * checkpoints; so all of them do that together. */
#ifndef GB_RUN_TEAMS_H
#define GB_RUN_TEAMS_H

#include "run/run.h"

/** How many teams draw so many chains. */
size_t gb_n_teams(const gb_spec *spec, size_t n_chains);

/** Form the teams, and decide which chains each draws.  With spec.team NULL there is nothing to do.
 * @return GB_OK, GB_ENOMEM, GB_EIO or GB_ERANK */
gb_status gb_teams_form(gb_run *run, gb_error *err);

/** Draw all chains; those of this rank's team are here at the end.
 * @return GB_OK (also if the run was stopped), or a failure, which run->failed and run->error have as well */
gb_status gb_teams_draw(gb_run *run, gb_error *err);

/** The number, among all ranks, of the first one of a team. */
size_t gb_teams_leader(const gb_run *run, size_t team);

/** Whether this rank is the first one of its team, which keeps what all of it have alike. */
bool gb_teams_is_leader(const gb_run *run);

#endif
