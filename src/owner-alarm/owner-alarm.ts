import type { Kysely, UpdateObject } from 'kysely';
import { z } from 'zod';
import type { Database } from '../db/schema.ts';
import type { JobDefinition } from '../jobs/jobs.ts';
import type { FigureValues } from '../db/figures.ts';
import { untilAborted } from '../process/in-time.ts';
import type { Logger } from '../process/logger.ts';
import { Unavailable } from '../shared/failure.ts';
import type { SourceReading } from '../shared/source-status.ts';
import { alarmRules, payoutRules } from './core/alarm-rules.ts';
import {
  type AlarmRule,
  type Facts,
  type StoredAlarm,
  turnAlarm,
  wordsOfAlarm,
  wordsOfRecovery,
  wordsOfSilence,
} from './core/alarm.ts';
import { anyOf, databaseNow, msAgo } from '../db/expressions.ts';
import type { Trx } from '../db/transaction.ts';

type Said = { readonly kind: 'said' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string };

/**
 * One message to the owner's chat, within the platform's limits and without mentions. `not-now`: it certainly did not arrive;
 * `refused`: nor will it, until a person changes something. Throws when it may have arrived.
 */
type OwnerVoice = (text: string) => Promise<Said>;

export interface OwnerAlarmDeps {
  readonly database: Kysely<Database>;
  /** null: no ALARM_CHAT, so nothing is checked. */
  readonly voice: OwnerVoice | null;
  readonly settings: { readonly productName: string; readonly publicUrl: string; readonly refreshMs: number };
  /** None at all while the database does not answer. */
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
const refreshesMissed = 5;
/** A database that is away for a moment is not reported. */
const silenceMs = 60_000;
/** How many messages that waited for the platform go out with one check: a flood would be rate-limited. */
const atOnceMax = 5;
/** A chat that takes nothing for days, because the bot was put out of it, gets no flood when it does again. */
const messageAgeMaxMs = 24 * 3_600_000;
const headlinesMax = 15;
const doubt = '(You may have received this message before.)\n';

/** How the bots speak to one chat; null: the bot has no token. */
interface Voices {
  readonly telegram: (chatId: string, text: string) => Promise<Said>;
  readonly discord: { say(chatId: string, text: string): Promise<Said> } | null;
}

export function voiceOf(chat: string | null, { telegram, discord }: Voices): OwnerVoice | null {
  if (chat === null) return null;
  const [platform, chatId = ''] = chat.split(':');
  if (platform === 'telegram') return (text) => telegram(chatId, text);
  return discord && ((text) => discord.say(chatId, text));
}

/** Notifies the owner of what fails and when it is well again, once each (docs/decisions/0023). None without a voice. */
export function ownerAlarmJobs(deps: OwnerAlarmDeps): readonly JobDefinition<object>[] {
  const { voice, now } = deps;
  if (voice === null) return [];
  const startedAt = now();
  const often = { payload: z.object({}), repeats: { payload: {}, everyMs: checkEveryMs } };
  return [
    {
      ...often,
      name: 'owner-alarm',
      failing: 'The alarm could not check whether all is well',
      run: () => checkAll(deps, startedAt),
    },
    // However slow the platform is, it keeps no check waiting.
    {
      ...often,
      name: 'owner-messages',
      failing: 'Alarms could not be sent to the owner',
      run: (_payload, stop) => sendWaiting(deps, voice, stop),
    },
  ];
}

async function readFacts(
  { readFigures, sources, unexplained, payoutProblems, lastErrors, settings, now }: OwnerAlarmDeps,
  startedAt: Date,
): Promise<Facts> {
  const figures = await readFigures();
  // The reader of /metrics would rather have no figures than wait.
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

/** One number for every copy on this database ("OWNR" in ASCII). */
const checkLock = 0x4f_57_4e_52;
/** Beside the alarms a row of its own: `since` is when they were last checked. */
const lastCheck = 'checked';

/** One check of all alarms, all or nothing and by one copy at a time. */
async function checkAll(deps: OwnerAlarmDeps, startedAt: Date): Promise<void> {
  const { database, settings } = deps;
  const facts = await readFacts(deps, startedAt);
  await database.transaction().execute(async (trx) => {
    await trx.selectNoFrom((is) => is.fn('pg_advisory_xact_lock', [is.lit(checkLock)]).as('locked')).execute();
    const rows = await trx.selectFrom('ownerAlarms').selectAll().execute();
    const alarms = new Map(rows.map(({ alarm, ...stored }) => [alarm, stored]));
    const texts: string[] = [];
    for (const rule of [...alarmRules, ...payoutRules(facts, alarms.keys())]) {
      const stored = alarms.get(rule.alarm) ?? null;
      const { next, text } = turnOf(rule, stored, facts, settings);
      if (text !== null) texts.push(text);
      if (next !== null) await save(trx, rule.alarm, next);
      else if (stored !== null) await trx.deleteFrom('ownerAlarms').where('alarm', '=', rule.alarm).execute();
    }
    // This copy ran all the time and no copy checked: the database did not answer, or the machine or this job stood still.
    const checkedAt = alarms.get(lastCheck)?.since;
    const silentMs = checkedAt !== undefined && checkedAt >= startedAt ? facts.now.getTime() - checkedAt.getTime() : 0;
    if (checkedAt !== undefined && silentMs >= checkEveryMs + silenceMs)
      texts.push(wordsOfSilence(checkedAt, facts.now, settings));
    await save(trx, lastCheck, { isOn: false, since: facts.now, turningSince: null });
    const messages = texts.map((text) => ({ text }));
    if (messages.length > 0) await trx.insertInto('ownerMessages').values(messages).execute();
  });
}

function turnOf(rule: AlarmRule, stored: StoredAlarm | null, facts: Facts, settings: OwnerAlarmDeps['settings']) {
  const { next, tell } = turnAlarm(stored, rule.see(facts), rule.settleMs ?? 60_000, facts.now);
  if (tell === 'on') return { next, text: wordsOfAlarm(rule, next?.since ?? facts.now, facts, settings) };
  const { since = facts.now, turningSince } = stored ?? {};
  if (tell === 'over')
    return { next, text: wordsOfRecovery(rule.over(facts), since, turningSince ?? facts.now, settings) };
  return { next, text: null };
}

async function save(trx: Trx, alarm: string, stored: StoredAlarm): Promise<void> {
  await trx
    .insertInto('ownerAlarms')
    .values({ alarm, ...stored })
    .onConflict((conflict) => conflict.column('alarm').doUpdateSet(stored))
    .execute();
}

/** In their order. One that does not arrive waits for the next check, and the others behind it. */
async function sendWaiting(deps: OwnerAlarmDeps, voice: OwnerVoice, stop: AbortSignal): Promise<void> {
  const { database, log } = deps;
  await foldOld(deps);
  const mark = (id: string, set: UpdateObject<Database, 'ownerMessages'>) =>
    database.updateTable('ownerMessages').set(set).where('id', '=', id).execute();
  for (let count = 0; count < atOnceMax && !stop.aborted; count += 1) {
    const message = await nextMessage(database);
    if (message === undefined) return;
    // A platform that accepts everything and answers nothing: sent twice is enough.
    const isEnough = message.text.startsWith(doubt + doubt);
    const said = isEnough ? ({ kind: 'said' } as const) : await unlessStopped(voice(message.text), stop);
    // It may have arrived or not: the next run says so.
    if (said === null) return;
    if (said.kind !== 'said') {
      // It certainly did not arrive.
      await mark(message.id, { tellingSince: null });
      const level = said.kind === 'refused' ? 'error' : 'warn';
      log[level]({ reason: said.reason }, 'Alarms could not be sent to the owner (ALARM_CHAT); trying again');
      return;
    }
    await mark(message.id, { toldAt: databaseNow });
  }
}

/** Those that have waited for too long become one, of their first lines. */
const foldOld = ({ database, settings }: OwnerAlarmDeps): Promise<void> =>
  database.transaction().execute(async (trx) => {
    const [first, ...others] = await trx
      .selectFrom('ownerMessages')
      .where('toldAt', 'is', null)
      .where('createdAt', '<', msAgo(messageAgeMaxMs))
      .orderBy('id')
      .select(['id', 'text'])
      .forUpdate()
      .execute();
    if (first === undefined || others.length === 0) return;
    const heading = `${settings.productName}: these messages have waited here for more than a day. The newest of them:`;
    const headlines = [first, ...others].flatMap((message) => {
      const [headline = '', ...more] = message.text.replaceAll(doubt, '').split('\n');
      // What was folded the day before keeps its lines.
      return headline === heading ? more : [headline];
    });
    const text = [heading, ...headlines.slice(-headlinesMax)].join('\n');
    const ids = others.map(({ id }) => id);
    await trx.deleteFrom('ownerMessages').where('id', '=', anyOf(ids, 'bigint')).execute();
    const set = { text, createdAt: databaseNow, tellingSince: null };
    await trx.updateTable('ownerMessages').set(set).where('id', '=', first.id).execute();
  });

/** The next message to send. One that may have been sent before gets `doubt` in front of its text for good. */
const nextMessage = (database: Kysely<Database>) =>
  database
    .updateTable('ownerMessages')
    .set((message) => ({
      tellingSince: databaseNow,
      text: message
        .case()
        .when('tellingSince', 'is', null)
        .then(message.ref('text'))
        .else(message(message.val(doubt), '||', message.ref('text')))
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

/** null: the product stops without waiting for a platform that does not answer. */
const unlessStopped = <T>(answer: Promise<T>, stop: AbortSignal): Promise<T | null> =>
  untilAborted(answer, stop).catch((error: unknown) => {
    if (stop.aborted) return null;
    throw error;
  });
