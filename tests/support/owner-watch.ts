import { createPool, typedKysely } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { createLogger } from '../../src/process/logger.ts';
import type { Clock } from '../../src/shared/clock.ts';
import type { SourceReading } from '../../src/shared/source-status.ts';
import { createTextSender as createChannelTextSender } from '../../src/discord/channel-posts.ts';
import { createChannelSender, createRestClient } from '../../src/discord/gateway/rest-calls.ts';
import { addOwnerAlarm, type OwnerAlarmDeps, ownerSender } from '../../src/owner-alarm/owner-alarm.ts';
import type { JobDefinition } from '../../src/jobs/jobs.ts';
import { createFigureReader } from '../../src/db/figures.ts';
import { createTextSender, createTransport } from '../../src/telegram/send/transport.ts';
import { operatorFigures } from './operator-figures.ts';

export interface OwnerWatchSettings {
  readonly databaseUrl: string;
  readonly platform: 'telegram' | 'discord';
  readonly chatId: string;
  readonly token: string;
  readonly apiUrl: string;
}

interface Given {
  readonly clock: Clock;
  readonly sources?: () => readonly SourceReading[];
  readonly unexplained?: () => Promise<string | null>;
  readonly payoutProblems?: OwnerAlarmDeps['payoutProblems'];
  readonly lastError?: () => string | null;
  /** Replaces the platform's client. */
  readonly voice?: OwnerAlarmDeps['sendToOwner'];
  readonly write?: (line: string) => void;
}

/** The owner's alarm of one copy: its real figures, tables and platform clients. */
export function startOwnerWatch(settings: OwnerWatchSettings, given: Given) {
  const { databaseUrl, platform, chatId, token, apiUrl } = settings;
  const pool = createPool(databaseUrl, silentLog);
  const log = createLogger('warn', given.write === undefined ? undefined : { write: given.write });
  const readings = given.sources ?? (() => []);
  const isSilent = { now: false };
  // Simulates a database that is gone.
  const asked = {
    query: ((...args: [string]) => (isSilent.now ? Promise.reject(new Error('gone')) : pool.query(...args))) as never,
  };
  const jobs: JobDefinition<object>[] = [];
  addOwnerAlarm({
    database: typedKysely(pool),
    jobs: { add: (job) => void jobs.push(job as unknown as JobDefinition<object>) },
    settings: { productName: 'Sui Rocks', publicUrl: 'https://rocks.example', refreshMs: 60_000 },
    sendToOwner:
      given.voice ??
      ownerSender(`${platform}:${chatId}`, {
        telegram: createTextSender(createTransport({ token, apiUrl }), log),
        discord: createChannelTextSender(createChannelSender(createRestClient({ token, apiUrl }))),
      }),
    readFigures: createFigureReader(asked, operatorFigures, { nowMs: () => given.clock.now().getTime() }),
    sources: async () => {
      const found = readings();
      const isKnown = found.some(({ source }) => source === 'marketplace');
      return isKnown ? found : [...found, { source: 'marketplace', readAt: given.clock.now() }];
    },
    unexplained: given.unexplained ?? (() => Promise.resolve(null)),
    payoutProblems: given.payoutProblems ?? (() => null),
    lastErrors: () => Promise.resolve({ telegram: given.lastError?.() ?? null, discord: null }),
    now: () => given.clock.now(),
    log,
  });
  const stopping = new AbortController();
  let checking: Promise<unknown> = Promise.resolve();
  const runAll = async (): Promise<void> => {
    for (const { run } of jobs) await run({}, stopping.signal);
  };
  /** One run of each job, as the engine would start them. As there, a failure without a database is harmless. */
  const check = (): Promise<unknown> => (checking = runAll().catch((error: unknown) => error));
  const end = async (): Promise<void> => {
    stopping.abort();
    await checking;
    await pool.end();
  };
  return { isSilent, jobs, check, end };
}
