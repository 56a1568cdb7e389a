import type { Kysely, UpdateObject } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { FigureValues } from '../db/figures.ts';
import { untilAborted } from '../process/in-time.ts';
import type { Logger } from '../process/logger.ts';
import { Unavailable } from '../shared/failure.ts';
import { refreshesMissed, type SourceReading } from '../shared/source-status.ts';
import { alarmRules, payoutRules } from './core/alarm-rules.ts';
import { checkGapText, checkRule, type Facts, type StoredAlarm, uncheckedSince } from './core/alarm.ts';
import { databaseNow } from '../db/expressions.ts';
import { transact, type Trx, waitForLock } from '../db/transaction.ts';
import { createOutageLog, type OutageLog } from '../db/outage.ts';

type SendResult = { readonly kind: 'sent' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string };

/**
 * Sends one message to the owner's chat, within the platform's limits and without mentions. `not-now`: it certainly did not arrive.
 * `refused`: nor will it until a person changes something. Throws when it may have arrived.
 */
type SendToOwner = (text: string) => Promise<SendResult>;

export interface OwnerAlarmDeps {
  readonly database: Kysely<Database>;
  readonly jobs: Pick<Jobs, 'add'>;
  /** null: no ALARM_CHAT, so nothing is checked. */
  readonly sendToOwner: SendToOwner | null;
  readonly settings: { readonly productName: string; readonly publicUrl: string; readonly refreshMs: number };
  /** Empty while the database does not answer. */
  readonly readFigures: () => Promise<FigureValues>;
  readonly sources: () => Promise<readonly SourceReading[]>;
  readonly unexplained: () => Promise<Facts['unexplained']>;
  readonly payoutProblems: () => Facts['payoutProblems'];
  readonly lastErrors: () => Promise<Facts['lastErrors']>;
  readonly now: () => Date;
  readonly log: Logger;
}

const checkEveryMs = 30_000;
const sourceLimitMs = 15 * 60_000;
/** A shorter database outage is not reported. */
const gapMinMs = 60_000;
/** How many waiting messages go out in one run: a flood would be rate-limited. */
const atOnceMax = 5;
const maybeSentBefore = '(You may have been told this before.)\n';

type SendText = (chatId: string, text: string) => Promise<SendResult>;

/** How each bot sends plain text to a chat; null: the bot has no token. */
type ChatSenders = Readonly<Record<'telegram' | 'discord', SendText | null>>;

export function ownerSender(chat: string | null, senders: ChatSenders): SendToOwner | null {
  if (chat === null) return null;
  const [platform, chatId = ''] = chat.split(':');
  const send = senders[platform === 'telegram' ? 'telegram' : 'discord'];
  return send === null ? null : (text) => send(chatId, text);
}

/** Adds the jobs that notify the owner of each failure and of its end, once each (docs/decisions/0023). None without `sendToOwner`. */
export function addOwnerAlarm(deps: OwnerAlarmDeps): void {
  const { jobs, sendToOwner, now } = deps;
  if (sendToOwner === null) return;
  const startedAt = now();
  const outages = createOutageLog(deps.log, 'Alarms could not be sent to the owner (ALARM_CHAT)');
  jobs.add({
    name: 'owner-alarm',
    everyMs: checkEveryMs,
    failing: 'The alarm could not check whether all is well',
    run: () => checkAll(deps, startedAt),
  });
  // A job of its own, so that a slow platform does not delay the checks.
  jobs.add({
    name: 'owner-messages',
    everyMs: checkEveryMs,
    failing: 'Alarms could not be sent to the owner',
    run: (_payload, stop) => sendWaiting(deps.database, outages, sendToOwner, stop),
  });
}

async function readFacts(
  { readFigures, sources, unexplained, payoutProblems, lastErrors, settings, now }: OwnerAlarmDeps,
  startedAt: Date,
): Promise<Facts> {
  const figures = await readFigures();
  // `readFigures` is made for /metrics, which would rather show no figures than wait.
  if (Object.keys(figures).length === 0) throw new Unavailable('database-unavailable', 'The database does not answer.');
  return {
    figures,
    sources: await sources(),
    unexplained: await unexplained(),
    payoutProblems: payoutProblems(),
    lastErrors: await lastErrors(),
    now: now(),
    startedAt,
    sourceLimitMs: Math.max(sourceLimitMs, refreshesMissed * settings.refreshMs),
  };
}

/** A row beside the alarms: its `since` is the time of the last check. */
const lastCheck = 'checked';

/** Checks all alarms in one transaction, one copy at a time. */
async function checkAll(deps: OwnerAlarmDeps, startedAt: Date): Promise<void> {
  const { database, settings } = deps;
  const facts = await readFacts(deps, startedAt);
  await transact(database, async (trx) => {
    await waitForLock(trx, 'owner-alarm');
    const rows = await trx.selectFrom('ownerAlarms').selectAll().execute();
    const alarms = new Map(rows.map(({ alarm, ...stored }) => [alarm, stored]));
    const texts: string[] = [];
    for (const rule of [...alarmRules, ...payoutRules(facts, alarms.keys())]) {
      const stored = alarms.get(rule.alarm) ?? null;
      const { next, text } = checkRule(rule, stored, facts, settings);
      if (text !== null) texts.push(text);
      if (next !== null) await save(trx, rule.alarm, next);
      else if (stored !== null) await trx.deleteFrom('ownerAlarms').where('alarm', '=', rule.alarm).execute();
    }
    const gapSince = uncheckedSince(alarms.get(lastCheck)?.since ?? null, facts, checkEveryMs + gapMinMs);
    if (gapSince !== null) texts.push(checkGapText(gapSince, facts.now, settings));
    await save(trx, lastCheck, { isOn: false, since: facts.now, turningSince: null });
    const messages = texts.map((text) => ({ text }));
    if (messages.length > 0) await trx.insertInto('ownerMessages').values(messages).execute();
  });
}

async function save(trx: Trx, alarm: string, stored: StoredAlarm): Promise<void> {
  await trx
    .insertInto('ownerAlarms')
    .values({ alarm, ...stored })
    .onConflict((conflict) => conflict.column('alarm').doUpdateSet(stored))
    .execute();
}

/** Sends in order. A message that does not arrive waits for the next run, and so do those after it. */
async function sendWaiting(
  database: OwnerAlarmDeps['database'],
  outages: OutageLog,
  sendToOwner: SendToOwner,
  stop: AbortSignal,
): Promise<void> {
  const update = (id: string, set: UpdateObject<Database, 'ownerMessages'>) =>
    database.updateTable('ownerMessages').set(set).where('id', '=', id).execute();
  for (let count = 0; count < atOnceMax && !stop.aborted; count += 1) {
    const message = await nextMessage(database);
    if (message === undefined) return;
    // A message that was sent twice without an answer of the platform is not sent again.
    const wasSentTwice = message.text.startsWith(maybeSentBefore + maybeSentBefore);
    if (!wasSentTwice) {
      const result = await unlessStopped(sendToOwner(message.text), stop);
      // It may have arrived: the next run sends it again and says so.
      if (result === null) return;
      if (result.kind !== 'sent') {
        // It certainly did not arrive.
        await update(message.id, { tellingSince: null });
        outages.failed(result.reason);
        return;
      }
      outages.done();
    }
    await update(message.id, { toldAt: databaseNow });
  }
}

/** The next message to send. One that may have been sent before gets `maybeSentBefore` in front of its text for good. */
const nextMessage = (database: Kysely<Database>) =>
  database
    .updateTable('ownerMessages')
    .set((message) => ({
      tellingSince: databaseNow,
      text: message
        .case()
        .when('tellingSince', 'is', null)
        .then(message.ref('text'))
        .else(message(message.val(maybeSentBefore), '||', message.ref('text')))
        .end(),
    }))
    .where('id', '=', (row) =>
      row
        .selectFrom('ownerMessages')
        .select(({ fn }) => fn.min('id').as('first'))
        .where('toldAt', 'is', null),
    )
    .returning(['id', 'text'])
    .executeTakeFirst();

/** null: the product is stopping and does not wait for the platform. */
const unlessStopped = <T>(answer: Promise<T>, stop: AbortSignal): Promise<T | null> =>
  untilAborted(answer, stop).catch((error: unknown) => {
    if (stop.aborted) return null;
    throw error;
  });
