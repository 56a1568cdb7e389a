import type { Kysely } from 'kysely';

import { claimMember, type MemberId, releaseMember, renewMember } from '../adapters/claim-members.ts';
import type { DiscordTables } from '../adapters/tables.ts';
import type { RequestCheck } from './check-requests.ts';
import { keepingClaim, type KeepingClaimOptions } from './keeping-claim.ts';
import type { MemberCheck } from './member-check.ts';

export type AskedCheck = (guildId: string, userId: string, cause: string) => Promise<void>;

export interface AskedChecksOptions extends KeepingClaimOptions {
  readonly db: Kysely<DiscordTables>;
  readonly memberCheck: MemberCheck;
  readonly requestCheck: RequestCheck;
  readonly copy: string;
  /** Something was decided. */
  readonly onChecked: () => void;
}

/** Another copy is asked so often whether it is done with the member, and for so long: its check may take minutes. */
const joinPauseMs = 250;
const joinMaxMs = 20_000;
/** As the checker does after something of ours failed. */
const failurePauseMs = 15_000;

/**
 * A check that somebody waits for. One a member is under way, whoever asks and for whatever cause: asking again joins it. It ends
 * without a check when the member's budget has none (check-requests.ts): then one is due by itself later.
 */
export function createAskedChecks(options: AskedChecksOptions): AskedCheck {
  const { db, memberCheck, requestCheck } = options;
  const underWay = new Map<string, Promise<void>>();
  const check = async (member: MemberId, cause: string): Promise<void> => {
    const known = memberCheck.underWay(member);
    if (known !== null) return void (await known);
    const isDue = await db.transaction().execute((trx) => requestCheck(trx, member, cause));
    if (isDue) await claimAndCheck(options, member, cause);
  };
  return (guildId, userId, cause) => {
    const key = `${guildId} ${userId}`;
    const begun = underWay.get(key) ?? check({ guildId, userId }, cause).finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

async function claimAndCheck(options: AskedChecksOptions, member: MemberId, cause: string): Promise<void> {
  const { db, memberCheck, copy, claimMs, clock, onChecked } = options;
  for (let waitedMs = 0; waitedMs < joinMaxMs; waitedMs += joinPauseMs) {
    const claim = await claimMember(db, member, { copy, claimMs });
    if (claim === 'not-due') return;
    if (claim === 'claimed') {
      const renew = () => renewMember(db, member, { copy, claimMs });
      try {
        await keepingClaim(options, renew, () => memberCheck.check({ ...member, cause }));
      } catch (error) {
        await releaseMember(db, member, failurePauseMs);
        throw error;
      }
      onChecked();
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    clock.after(joinPauseMs, resolve);
    await promise;
  }
}
