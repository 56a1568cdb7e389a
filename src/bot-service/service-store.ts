import { type ExpressionBuilder, type Kysely, sql } from 'kysely';

import { publishInTransaction } from '../db/change-signal.ts';
import { type Trx, transact } from '../db/transaction.ts';
import { databaseNow } from '../db/expressions.ts';
import type { Database } from '../db/schema.ts';
import { isSessionLockHeld } from '../db/session-lock.ts';
import { pause } from '../process/in-time.ts';

export type WantedState = 'active' | 'inactive';
type RecordedState = 'inactive' | 'starting' | 'active' | 'failing';
type State = RecordedState | 'not-configured';

/** The stored state of a bot: what an admin wants, and what the copy that runs it last recorded. */
export interface ServiceRow {
  readonly wanted: WantedState;
  readonly state: RecordedState;
  readonly since: Date;
  readonly botId: string | null;
  readonly username: string | null;
  readonly lastError: { readonly message: string; readonly at: Date } | null;
  /** A copy has the lock, so the recorded state is true. */
  readonly isLockHeld: boolean;
}

export interface BotName {
  /** Decimal. */
  readonly id: string;
  readonly username: string;
}

export interface ServiceReport {
  readonly state: RecordedState;
  readonly bot?: BotName;
  readonly error?: string;
}

export type ServiceStore = ReturnType<typeof createServiceStore>;

/** Reads and writes the bot's table of one row. Throws database errors; times are the database's. */
export function createServiceStore(db: Kysely<Database>, bot: 'telegram' | 'discord') {
  const table = `${bot}Service` as const;
  const lockName = lockNameOf(bot);
  const topic = `${bot} service`;
  return {
    /** The copy that holds it runs the bot. */
    lockName,
    /** Published with every change of the wanted or the recorded state. */
    topic,
    read: async (): Promise<ServiceRow> => {
      const row = await db
        .selectFrom(table)
        .selectAll()
        .select(sql.raw<boolean>(isSessionLockHeld(lockName)).as('isLockHeld'))
        .executeTakeFirstOrThrow();
      const { lastError: message, lastErrorAt: at } = row;
      return {
        wanted: row.wanted,
        state: row.state,
        since: row.stateSince,
        botId: row.botId,
        username: row.botUsername,
        lastError: message === null || at === null ? null : { message, at },
        isLockHeld: row.isLockHeld,
      };
    },
    want: async (trx: Trx, wanted: WantedState): Promise<WantedState> => {
      const before = await trx.selectFrom(table).select('wanted').forUpdate().executeTakeFirstOrThrow();
      await trx.updateTable(table).set({ wanted }).execute();
      await publishInTransaction(trx, topic);
      return before.wanted;
    },
    /** Only for the copy that has the lock. */
    record: ({ state, bot: name, error }: ServiceReport): Promise<void> =>
      transact(db, async (trx) => {
        await trx
          .updateTable(table)
          .set((eb) => ({
            state,
            stateSince: eb
              .case()
              // Also the end of a trouble, so that an error after `stateSince` is always the present one.
              .when(eb.and([eb('state', '=', state), ...(error === undefined ? [isUntroubled(eb)] : [])]))
              .then(eb.ref('stateSince'))
              .else(databaseNow)
              .end(),
            ...(name !== undefined && { botId: name.id, botUsername: name.username }),
            ...(error !== undefined && { lastError: error, lastErrorAt: databaseNow }),
          }))
          .execute();
        await publishInTransaction(trx, topic);
      }),
    forgetBotUnless: async (trx: Trx, botId: string): Promise<void> => {
      const forgotten = { botId: null, botUsername: null };
      await trx.updateTable(table).set(forgotten).where('botId', '<>', botId).execute();
    },
  };
}

const isUntroubled = (service: ExpressionBuilder<Database, 'telegramService' | 'discordService'>) =>
  service.or([service('lastErrorAt', 'is', null), service('lastErrorAt', '<=', service.ref('stateSince'))]);

/** SQL of an operator's figure: 1 while updates do not reach a bot that runs, 0 while they do. */
export const undeliveredFigure = `select (last_error_at > state_since is true)::int
    from telegram_service where wanted = 'active' and state = 'active'`;

const lockNameOf = (bot: 'telegram' | 'discord'): string => `${bot} bot`;

/** SQL of an operator's figure: 1 while the bot runs, 0 while it is wanted but does not run. */
export const runningFigure = (bot: 'telegram' | 'discord'): string =>
  `select case when state = 'active' and ${isSessionLockHeld(lockNameOf(bot))} then 1 else 0 end
    from ${bot}_service where wanted = 'active'`;

/** The real state of the bot. While no copy has the lock, it is starting or off, whatever was recorded last. */
function realState(row: ServiceRow, hasToken: boolean): { readonly state: State; readonly since: Date | null } {
  if (!hasToken) return { state: 'not-configured', since: null };
  if (row.isLockHeld) return { state: row.state, since: row.since };
  return row.wanted === 'active' ? { state: 'starting', since: null } : { state: 'inactive', since: row.since };
}

/** The bot has reached the wanted state, or is known to fail. */
function isSettled(row: ServiceRow, hasToken: boolean, wanted: WantedState): boolean {
  const { state } = realState(row, hasToken);
  return wanted === 'active'
    ? state === 'active' || state === 'failing'
    : state === 'inactive' || state === 'not-configured';
}

/** What the admin area shows about a bot, the same from every copy. Times are ISO texts. */
export function describeService(row: ServiceRow, hasToken: boolean) {
  const { state, since } = realState(row, hasToken);
  return {
    state,
    wanted: row.wanted,
    username: hasToken ? row.username : null,
    since: since?.toISOString() ?? null,
    lastError: row.lastError === null ? null : { message: row.lastError.message, at: row.lastError.at.toISOString() },
  };
}
export type ServiceStatus = Readonly<ReturnType<typeof describeService>>;

interface BotIdentityDeps {
  readonly store: Pick<ServiceStore, 'read' | 'forgetBotUnless'>;
  /** The id of the token's bot; null: there is no token, or it does not contain one. */
  readonly tokenId: string | null;
  /** The error for a bot other than the known one, whose name is `knownAs`. */
  readonly otherBot: (knownAs: string | null) => Error;
}

/**
 * Checks that the token belongs to the bot that the groups or servers know. Another bot is in none of them, and from the platform's
 * answers the product would conclude that the bot had left them all.
 */
export function createBotIdentity({ store, tokenId, otherBot }: BotIdentityDeps) {
  const isSame = ({ botId }: Pick<ServiceRow, 'botId'>): boolean =>
    botId === null || tokenId === null || botId === tokenId;
  return {
    isSame,
    /** Whether the bot may start. Throws `otherBot` for another bot. */
    check: async (): Promise<boolean> => {
      const known = await store.read();
      if (!isSame(known)) throw otherBot(known.username);
      // Stopping a refused bot allows the other bot, but does not start it.
      return known.wanted === 'active';
    },
    /** For an admin who stops a refused bot: the next start is intended. */
    allowOther: async (trx: Trx): Promise<void> => {
      if (tokenId !== null) await store.forgetBotUnless(trx, tokenId);
    },
  };
}
export type BotIdentity = ReturnType<typeof createBotIdentity>;

/** An entry of the audit log, which decides who may be its actor. */
interface SwitchEntry<Actor> {
  readonly actor: Actor;
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly label: string };
  readonly before: { readonly wanted: WantedState };
  readonly after: { readonly wanted: WantedState };
}

interface SwitchDeps<Actor> {
  readonly store: Pick<ServiceStore, 'read' | 'want'>;
  readonly hasToken: boolean;
  readonly settleMs: number;
  readonly db: Kysely<Database>;
  readonly bot: 'telegram' | 'discord';
  readonly botIdentity: Pick<BotIdentity, 'allowOther'>;
  readonly audit: { record(entry: SwitchEntry<Actor>, trx: Trx): Promise<unknown> };
  /** Pauses what is read for the bot while it is off. */
  readonly setPaused: (isPaused: boolean, trx: Trx) => Promise<void>;
}

const pollEveryMs = 100;

/**
 * Start and Shutdown of a bot (rulings R4, R5): stores the wanted state, from any copy, and waits until it is reached, known
 * to fail, or time is up.
 */
export async function switchService<Actor>(deps: SwitchDeps<Actor>, wanted: WantedState, actor: Actor): Promise<void> {
  await transact(deps.db, async (trx) => {
    const before = await deps.store.want(trx, wanted);
    if (before !== wanted) await switchIn(trx, deps, { wanted, before }, actor);
  });
  await untilSettled(deps, wanted);
}

/** Pauses or resumes what is read for the bot, and writes the audit entry. */
async function switchIn<Actor>(
  trx: Trx,
  { bot, botIdentity, audit, setPaused }: SwitchDeps<Actor>,
  { wanted, before }: { readonly wanted: WantedState; readonly before: WantedState },
  actor: Actor,
): Promise<void> {
  await setPaused(wanted === 'inactive', trx);
  if (wanted === 'inactive') await botIdentity.allowOther(trx);
  const subject = { kind: `${bot}-bot`, id: bot, label: bot === 'telegram' ? 'Telegram bot' : 'Discord bot' };
  const action = `${bot}-bot-${wanted === 'active' ? 'initialized' : 'shut-down'}`;
  await audit.record({ actor, action, subject, before: { wanted: before }, after: { wanted } }, trx);
}

async function untilSettled<Actor>(
  { store, hasToken, settleMs }: SwitchDeps<Actor>,
  wanted: WantedState,
): Promise<void> {
  const timeIsUp = AbortSignal.timeout(settleMs);
  for (;;) {
    const row = await store.read();
    if (isSettled(row, hasToken, wanted) || row.wanted !== wanted || timeIsUp.aborted) return;
    await pause(pollEveryMs, timeIsUp);
  }
}
