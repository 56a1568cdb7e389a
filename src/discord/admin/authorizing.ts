import type { Kysely } from 'kysely';

import { inTransaction } from '../../db/in-transaction.ts';
import { openTransaction } from '../../db/open-transaction.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { Invalid, Refused } from '../../shared/failure.ts';
import { canonicalWallet } from '../../shared/sui-address.ts';
import {
  type AuthorizedWallet,
  endExpired,
  findAuthorized,
  insertAuthorized,
  removeAuthorized,
} from './authorized-wallet-store.ts';
import { markDue } from '../roles/member-store.ts';
import type { Database } from '../../db/schema.ts';
import type { AuditTrail, Clock } from '../ports.ts';
import { authorizationExpiry } from '../roles/job-names.ts';

export interface AuthorizingDeps {
  readonly db: Kysely<Database>;
  readonly audit: AuditTrail;
  readonly clock: Pick<Clock, 'now'>;
  /** Members are due for a check. */
  readonly wake: () => void;
}

type Admin = Extract<Parameters<AuditTrail['record']>[0]['actor'], { readonly kind: 'admin' }>;

/** Authorized wallets of a server (rulings R5), with reason, author and end. */
export interface Authorizing {
  /** Throws Invalid (`invalid-wallet`, `expiry-in-the-past`) and Refused (`not-found`). */
  authorize(
    given: {
      readonly guildId: string;
      readonly wallet: string;
      readonly reason: string;
      readonly expiresAt: string | null;
    },
    actor: Admin,
  ): Promise<AuthorizedWallet | 'already-authorized'>;
  /** Throws Refused (`not-found`). Ending an ended one is harmless. */
  end(guildId: string, id: string, actor: Admin): Promise<AuthorizedWallet>;
  /** Ends authorizations when they expire. */
  readonly expiry: JobDefinition<object>;
}

export function createAuthorizing(deps: AuthorizingDeps): Authorizing {
  return {
    authorize: (given, actor) => authorize(deps, given, actor),
    end: (guildId, id, actor) => end(deps, guildId, id, actor),
    expiry: {
      ...authorizationExpiry,
      failing: 'Authorized wallets that expire could not be ended',
      run: async () => {
        if (await inTransaction(deps.db, (_opened, trx) => expire(trx, deps.audit, null))) deps.wake();
      },
    },
  };
}

type Trx = Parameters<Parameters<ReturnType<Kysely<Database>['transaction']>['execute']>[0]>[0];

const subjectOf = (guildId: string, guildName: string) => ({ kind: 'discord-guild', id: guildId, label: guildName });

async function markLinkers(
  trx: Trx,
  wallets: readonly { readonly guildId: string; readonly wallet: string }[],
  cause: string,
): Promise<void> {
  const members = await trx
    .selectFrom('discordWallets')
    .select(['guildId', 'userId'])
    .where((eb) =>
      eb(
        eb.refTuple('guildId', 'wallet'),
        'in',
        wallets.map(({ guildId, wallet }) => eb.tuple(guildId, wallet)),
      ),
    )
    .execute();
  await markDue(
    trx,
    members.map((member) => ({ ...member, cause })),
  );
}

async function expire(trx: Trx, audit: AuditTrail, guildId: string | null): Promise<boolean> {
  const ended = await endExpired(trx, guildId);
  if (ended.length === 0) return false;
  // All at once: one by one, members would be locked out of the common order.
  await markLinkers(trx, ended, 'authorization-ended');
  for (const { guildId: of, guildName, wallet, expiresAt } of ended) {
    await audit.record(
      {
        actor: { kind: 'system', name: 'authorized wallets' },
        action: 'discord-wallet-authorization-expired',
        subject: subjectOf(of, guildName),
        before: { wallet, expiresAt: expiresAt.toISOString() },
        after: null,
      },
      openTransaction(trx),
    );
  }
  return true;
}

async function authorize(
  { db, audit, clock, wake }: AuthorizingDeps,
  given: Parameters<Authorizing['authorize']>[0],
  actor: Admin,
): Promise<AuthorizedWallet | 'already-authorized'> {
  const { guildId, reason } = given;
  const wallet = canonicalWallet(given.wallet);
  if (wallet === null) throw new Invalid('invalid-wallet', 'A wallet address is 0x and 64 hexadecimal digits.');
  const expiresAt = given.expiresAt === null ? null : new Date(given.expiresAt);
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw new Invalid('expiry-in-the-past', 'The expiry must be in the future. Leave it out for no expiry.');
  }
  const added = await inTransaction(db, async (opened, trx) => {
    const guildName = await knownGuild(trx, guildId);
    await expire(trx, audit, guildId);
    const id = await insertAuthorized(trx, { guildId, wallet, reason, expiresAt, addedBy: actor.name });
    if (id === null) return null;
    await markLinkers(trx, [{ guildId, wallet }], 'authorized');
    const after = { wallet, reason, expiresAt: expiresAt?.toISOString() ?? null };
    const subject = subjectOf(guildId, guildName);
    await audit.record({ actor, action: 'discord-wallet-authorized', subject, before: null, after }, opened);
    return findAuthorized(trx, guildId, id);
  });
  if (added === null) return 'already-authorized';
  wake();
  return added;
}

async function end(
  { db, audit, wake }: AuthorizingDeps,
  guildId: string,
  id: string,
  actor: Admin,
): Promise<AuthorizedWallet> {
  const ended = await inTransaction(db, async (opened, trx) => {
    const guildName = await knownGuild(trx, guildId);
    const found = await findAuthorized(trx, guildId, id);
    if (found === null) throw new Refused('not-found', 'There is no such authorized wallet. Refresh the list.');
    if (!(await removeAuthorized(trx, id, actor.name))) return found;
    const { wallet, reason, expiresAt } = found;
    await markLinkers(trx, [{ guildId, wallet }], 'authorization-ended');
    const action = 'discord-wallet-authorization-removed';
    const subject = subjectOf(guildId, guildName);
    await audit.record({ actor, action, subject, before: { wallet, reason, expiresAt }, after: null }, opened);
    return (await findAuthorized(trx, guildId, id)) ?? found;
  });
  wake();
  return ended;
}

async function knownGuild(trx: Trx, guildId: string): Promise<string> {
  const guild = await trx.selectFrom('discordGuilds').select('name').where('guildId', '=', guildId).executeTakeFirst();
  if (guild === undefined) throw new Refused('not-found', 'The bot is not in this server. Refresh the list.');
  return guild.name;
}
