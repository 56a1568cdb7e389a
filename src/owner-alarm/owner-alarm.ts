import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { Database } from '../db/schema.ts';
import type { JobDefinition } from '../jobs/define-job.ts';
import type { FigureValues } from '../db/figures.ts';
import type { Logger } from '../process/logger.ts';
import type { Purge } from '../retention/purge.ts';
import { Unavailable } from '../shared/failure.ts';
import type { SourceReading } from '../shared/source-status.ts';
import { type AlarmStore, createAlarmStore, ownerAlarmPurges } from './alarm-store.ts';
import { alarmRules, payoutRules } from './core/alarm-rules.ts';
import { type Facts, turnAlarm, wordsOfAlarm, wordsOfRecovery, wordsOfSilence } from './core/alarm.ts';

export interface OwnerVoice {
  /**
   * One message to the owner's chat, within the platform's limits and without mentions. `not-now`: it certainly did not arrive;
   * `refused`: nor will it, until a person changes something. Throws when it may have arrived.
   */
  say(
    text: string,
  ): Promise<{ readonly kind: 'said' } | { readonly kind: 'not-now' | 'refused'; readonly reason: string }>;
}

export interface OwnerAlarmDeps {
  readonly database: Kysely<Database>;
  /** null: no ALARM_CHAT, so nothing is checked. */
  readonly voice: OwnerVoice | null;
  readonly settings: { readonly productName: string; readonly publicUrl: string; readonly refreshMs: number };
  /** None at all while the database does not answer. */
  readonly readFigures: () => Promise<FigureValues>;
  readonly sources: () => readonly SourceReading[];
  readonly unexplained: () => Promise<Facts['unexplained']>;
  readonly payoutProblems: () => Facts['payoutProblems'];
  readonly lastErrors: () => Promise<Facts['lastErrors']>;
  readonly now: () => Date;
  readonly log: Logger;
}

export interface OwnerAlarm {
  readonly purges: readonly Purge[];
  /** null without a voice. */
  readonly job: JobDefinition<object> | null;
}

const checkEveryMs = 30_000;
const sourceLimitMs = 15 * 60_000;
const refreshesMissed = 5;
/** A database that is away for a moment is not reported. */
const silenceMs = 60_000;
/** How many messages that waited for the platform go out with one check: a flood would be rate-limited. */
const atOnceMax = 5;
const doubt = '(You may have been told this before.)\n';

/** How the bots speak to one chat; null: the bot has no token. */
interface Voices {
  readonly telegram: (chatId: string, text: string) => ReturnType<OwnerVoice['say']>;
  readonly discord: { say(chatId: string, text: string): ReturnType<OwnerVoice['say']> } | null;
}

/** `chat`: ALARM_CHAT. */
export function voiceOf(chat: string | null, { telegram, discord }: Voices): OwnerVoice | null {
  if (chat === null) return null;
  const [platform, chatId = ''] = chat.split(':');
  if (platform === 'telegram') return { say: (text) => telegram(chatId, text) };
  return discord === null ? null : { say: (text) => discord.say(chatId, text) };
}

/** Notifies the owner of what fails and when it is well again, once each (docs/decisions/0023). */
export function createOwnerAlarm(deps: OwnerAlarmDeps): OwnerAlarm {
  const { database, voice, now } = deps;
  const store = createAlarmStore(database);
  const startedAt = now();
  const run = async (stop: AbortSignal): Promise<void> => {
    await checkAll(deps, store, startedAt);
    if (voice !== null) await sendWaiting(deps, store, voice, stop);
  };
  const job: JobDefinition<object> = {
    name: 'owner-alarm',
    payload: z.object({}),
    repeats: { payload: {}, everyMs: checkEveryMs },
    failing: 'The alarm could not check whether all is well',
    run: (_payload, stop) => run(stop),
  };
  return { purges: ownerAlarmPurges(database), job: voice === null ? null : job };
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
    sources: sources(),
    unexplained: await unexplained(),
    payoutProblems: payoutProblems(),
    lastErrors: await lastErrors(),
    now: now(),
    startedAt,
    sourceLimitMs: Math.max(sourceLimitMs, refreshesMissed * settings.refreshMs),
  };
}

async function checkAll(deps: OwnerAlarmDeps, store: AlarmStore, startedAt: Date): Promise<void> {
  const { settings } = deps;
  const facts = await readFacts(deps, startedAt);
  await store.check(facts.now, (alarms, lastCheckedAt) => {
    const changes = [...alarmRules, ...payoutRules(facts, alarms.keys())].map((rule) => {
      const stored = alarms.get(rule.alarm) ?? null;
      const { next, tell } = turnAlarm(stored, rule.see(facts), rule.settleMs, facts.now);
      const { since = facts.now, turningSince } = stored ?? {};
      const words =
        tell === 'on'
          ? wordsOfAlarm(rule, next?.since ?? facts.now, facts, settings)
          : tell === 'over'
            ? wordsOfRecovery(rule, since, turningSince ?? facts.now, settings)
            : null;
      return { alarm: rule.alarm, next, words };
    });
    // This copy ran all the time and no copy could check: none could reach the database.
    const silentSince = lastCheckedAt !== null && lastCheckedAt >= startedAt ? lastCheckedAt : null;
    const silent = silentSince !== null && facts.now.getTime() - silentSince.getTime() >= checkEveryMs + silenceMs;
    return { changes, words: silent ? [wordsOfSilence(silentSince, facts.now, settings)] : [] };
  });
}

/** In their order. One that does not arrive waits for the next check, and the others behind it. */
async function sendWaiting(
  { log }: OwnerAlarmDeps,
  store: AlarmStore,
  voice: OwnerVoice,
  stop: AbortSignal,
): Promise<void> {
  for (let count = 0; count < atOnceMax && !stop.aborted; count += 1) {
    const message = await store.next(doubt);
    if (message === null) return;
    // A platform that accepts everything and answers nothing: sent twice is enough.
    const isEnough = message.text.startsWith(doubt + doubt);
    const said = isEnough ? ({ kind: 'said' } as const) : await unlessStopped(voice.say(message.text), stop);
    // It may have arrived or not: the next run says so.
    if (said === null) return;
    if (said.kind !== 'said') {
      await store.giveBack(message.id);
      const level = said.kind === 'refused' ? 'error' : 'warn';
      log[level]({ reason: said.reason }, 'The owner could not be told what is wrong (ALARM_CHAT); trying again');
      return;
    }
    await store.sent(message.id);
  }
}

/** null: the product stops without waiting for a platform that does not answer. */
const unlessStopped = <T>(answer: Promise<T>, stop: AbortSignal): Promise<T | null> =>
  new Promise((resolve, reject) => {
    stop.addEventListener('abort', () => resolve(null), { once: true });
    answer.then(resolve, reject);
  });
