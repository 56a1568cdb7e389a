import type { Kysely } from 'kysely';
import type { Pool } from 'pg';

import type { Collections } from './market/collections.ts';
import type { Config } from './config.ts';
import type { Discord } from './discord/discord.ts';
import { operatorFigures } from './operator-gauges.ts';
import type { OwnerAlarmTables } from './owner-alarm/adapters/tables.ts';
import { createOwnerAlarm, type OwnerAlarm, type OwnerVoice } from './owner-alarm/owner-alarm.ts';
import { createFigureReader } from './platform/figures.ts';
import type { Logger } from './platform/logger.ts';
import { Unavailable } from './shared/failure.ts';
import { productName } from './site/content.ts';
import type { Telegram } from './telegram/telegram.ts';
import type { Treasury } from './treasury/treasury.ts';

interface OwnerWatchDeps {
  readonly config: Pick<Config, 'ALARM_CHAT' | 'PUBLIC_URL' | 'TREASURY_REFRESH_MS'>;
  readonly db: Kysely<OwnerAlarmTables>;
  readonly pool: Pick<Pool, 'query'>;
  readonly telegram: Pick<Telegram, 'say' | 'lastError'>;
  readonly discord: Pick<Discord, 'voice' | 'lastError'>;
  readonly treasury: Pick<Treasury, 'sourceReadings'>;
  readonly collections: Pick<Collections, 'sourceReading'>;
  readonly now: () => Date;
  readonly log: Logger;
}

const sourceLimitMs = 15 * 60_000;
const refreshesMissed = 5;

/** The owner's alarm with what it judges by and whom it speaks through (docs/decisions/0023). */
export function createOwnerWatch(deps: OwnerWatchDeps): OwnerAlarm {
  const { config, db, pool, telegram, discord, treasury, collections, now, log } = deps;
  const readFigures = createFigureReader(pool, operatorFigures, { nowMs: () => now().getTime() });
  return createOwnerAlarm({
    db,
    voice: voiceOf(deps),
    settings: {
      productName,
      publicUrl: config.PUBLIC_URL,
      sourceLimitMs: Math.max(sourceLimitMs, refreshesMissed * config.TREASURY_REFRESH_MS),
    },
    readFacts: async () => {
      const figures = await readFigures();
      // The reader of /metrics would rather have no figures than wait.
      if (Object.keys(figures).length === 0)
        throw new Unavailable('database-unavailable', 'The database does not answer.');
      const [telegramError, discordError] = await Promise.all([telegram.lastError(), discord.lastError()]);
      return {
        figures,
        sources: [...treasury.sourceReadings(), collections.sourceReading()],
        lastErrors: { telegram: telegramError, discord: discordError },
      };
    },
    now,
    log,
  });
}

function voiceOf({ config, telegram, discord }: OwnerWatchDeps): OwnerVoice | null {
  if (config.ALARM_CHAT === null) return null;
  const [platform, chatId = ''] = config.ALARM_CHAT.split(':');
  if (platform === 'telegram') return { say: (text) => telegram.say(chatId, text) };
  const { voice } = discord;
  return voice === null ? null : { say: (text) => voice.say(chatId, text) };
}
