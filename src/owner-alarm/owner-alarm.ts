import type { Kysely } from 'kysely';

import type { Logger } from '../platform/logger.ts';
import { createRepeatedLook, type RepeatedLook } from '../platform/repeated-look.ts';
import type { Purge } from '../platform/retention/purge.ts';
import { createAlarmStore, ownerAlarmPurges } from './adapters/alarm-store.ts';
import type { OwnerAlarmTables } from './adapters/tables.ts';
import { alarmRules } from './core/alarm-rules.ts';
import { turnAlarm } from './core/alarm-turn.ts';
import { wordsOfAlarm, wordsOfRecovery, wordsOfSilence } from './core/alarm-words.ts';
import type { Facts } from './core/facts.ts';
import type { AlarmStore, Clock, OwnerVoice } from './ports.ts';

export interface OwnerAlarmDeps {
  readonly db: Kysely<OwnerAlarmTables>;
  /** null: no ALARM_CHAT. Nothing is looked at. */
  readonly voice: OwnerVoice | null;
  readonly settings: { readonly productName: string; readonly publicUrl: string; readonly sourceLimitMs: number };
  /** What is true now. Without the database its figures are absent, or it throws. */
  readonly readFacts: () => Promise<Pick<Facts, 'figures' | 'sources' | 'lastErrors'>>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface OwnerAlarm {
  readonly purges: readonly Purge[];
  start(): void;
  stop(): Promise<void>;
}

const lookEveryMs = 30_000;
/** A database that is away for a moment is nobody's concern. */
const silenceMs = 60_000;
/** Of what waited while the platform was down, so many go with one look: a flood would be limited. */
const atOnceMax = 5;
const doubt = '(You may have been told this before.)\n';

/** Tells the owner what fails and when it is well again, once each (docs/decisions/0023). */
export function createOwnerAlarm(deps: OwnerAlarmDeps): OwnerAlarm {
  const { db, voice, clock, log } = deps;
  const store = createAlarmStore(db);
  const startedAt = clock.now();
  const look = voice === null ? null : createLook(deps, store, voice, startedAt);
  const repeated: RepeatedLook | null =
    look === null
      ? null
      : createRepeatedLook({
          clock,
          everyMs: lookEveryMs,
          look,
          log,
          failing: 'The alarm could not check whether all is well',
        });
  return {
    purges: ownerAlarmPurges(db),
    start: () => repeated?.start(),
    stop: async () => repeated?.stop(),
  };
}

function createLook(deps: OwnerAlarmDeps, store: AlarmStore, voice: OwnerVoice, startedAt: Date) {
  const { settings, readFacts, clock } = deps;
  let silentSince: Date | null = null;
  return async (stop: AbortSignal): Promise<void> => {
    try {
      const read = await readFacts();
      const facts: Facts = { ...read, now: clock.now(), startedAt, sourceLimitMs: settings.sourceLimitMs };
      await judge(store, facts, settings);
    } catch (error) {
      silentSince ??= clock.now();
      throw error;
    }
    const [from, to] = [silentSince, clock.now()];
    if (from !== null && to.getTime() - from.getTime() >= silenceMs) {
      await store.tellOnce('database', { from, to }, wordsOfSilence(from, to, settings));
    }
    silentSince = null;
    await tellWaiting(deps, store, voice, stop);
  };
}

const judge = (store: AlarmStore, facts: Facts, settings: OwnerAlarmDeps['settings']): Promise<void> =>
  store.look(
    alarmRules.map(({ alarm }) => alarm),
    (alarm, stored) => {
      const rule = alarmRules.find((each) => each.alarm === alarm);
      if (rule === undefined) return { next: stored, words: null };
      const { next, tell } = turnAlarm(stored, rule.see(facts), rule.settleMs, facts.now);
      if (tell === 'on') return { next, words: wordsOfAlarm(rule, next?.since ?? facts.now, facts, settings) };
      if (tell === 'over') {
        const { since = facts.now, turningSince } = stored ?? {};
        return { next, words: wordsOfRecovery(rule, since, turningSince ?? facts.now, settings) };
      }
      return { next, words: null };
    },
  );

/** What waits, in its order. One that does not arrive waits for the next look, and the others behind it. */
async function tellWaiting(
  { log }: OwnerAlarmDeps,
  store: AlarmStore,
  voice: OwnerVoice,
  stop: AbortSignal,
): Promise<void> {
  for (let count = 0; count < atOnceMax && !stop.aborted; count += 1) {
    const message = await store.take(doubt);
    if (message === null) return;
    // A platform that takes everything and answers nothing: told twice is enough.
    const isEnough = message.text.startsWith(doubt + doubt);
    const said = isEnough ? ({ kind: 'said' } as const) : await unlessStopped(voice.say(message.text), stop);
    // Nobody knows whether it arrives: whoever takes it next says so.
    if (said === null) return;
    if (said.kind !== 'said') {
      await store.giveBack(message.id);
      const level = said.kind === 'refused' ? 'error' : 'warn';
      log[level]({ reason: said.reason }, 'The owner could not be told what is wrong (ALARM_CHAT); trying again');
      return;
    }
    await store.told(message.id);
  }
}

/** null: the product stops, and does not wait for a platform that keeps silent. */
async function unlessStopped<T>(answer: Promise<T>, stop: AbortSignal): Promise<T | null> {
  const { promise: stopped, resolve } = Promise.withResolvers<null>();
  const onStop = (): void => resolve(null);
  stop.addEventListener('abort', onStop, { once: true });
  try {
    return await Promise.race([answer, stopped]);
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}
