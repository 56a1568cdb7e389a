import type { Kysely } from 'kysely';

import { type ClaimedMember, claimDueMembers, releaseMember, renewMember } from '../adapters/claim-members.ts';
import type { DiscordTables } from '../adapters/tables.ts';
import { type ClaimedWork, createClaimedWork } from './claimed-work.ts';
import { keepingClaim, type KeepingClaimOptions } from './keeping-claim.ts';
import type { MemberCheck } from './member-check.ts';

export interface CheckerOptions extends KeepingClaimOptions {
  readonly db: Kysely<DiscordTables>;
  readonly memberCheck: Pick<MemberCheck, 'check'>;
  readonly copy: string;
  /** Something was decided: the role changes and the removals look at once. */
  readonly onLooked: () => void;
}

/** Each costs some calls of the chain. */
const atOnceMax = 8;
const idleMs = 1_000;
/** After something of ours failed: the database, say. */
const failurePauseMs = 15_000;

/** Looks at every member whose check is due (rulings R5): after an event, for the second time, after a join, … Any copy does. */
export function createChecker(options: CheckerOptions): ClaimedWork {
  const { db, memberCheck, log, copy, onLooked, claimMs } = options;
  const work = async (member: ClaimedMember, stop: AbortSignal): Promise<void> => {
    try {
      // Some hundred kiosks take minutes at a public node.
      const renew = () => renewMember(db, member, { copy, claimMs });
      await keepingClaim(options, renew, () => memberCheck.check(member, stop));
      onLooked();
    } catch (error) {
      log.warn({ err: error, guildId: member.guildId }, 'A member could not be checked; trying again');
      await releaseMember(db, member, failurePauseMs);
    }
  };
  return createClaimedWork({
    atOnceMax,
    idleMs,
    claim: (countMax) => claimDueMembers(db, { copy, claimMs, countMax }),
    work,
    onFailure: (error) => log.warn({ err: error }, 'Members whose check is due could not be read; trying again'),
  });
}
