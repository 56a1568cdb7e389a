import { createImageShrinker } from '../../src/sources/pictures/shrink-image.ts';
import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { createTelegram, type Telegram, type TelegramDeps } from '../../src/telegram/telegram.ts';
import { unreadRocks } from './activity-events.ts';
import { type BotCopy, type CopyGround, type GroundDeps, runOnGround, startCopyGround } from './copy-ground.ts';

/** One copy of the product with only the Telegram bot, and its admin calls over real HTTP. */
export interface TelegramCopy extends BotCopy {
  readonly telegram: Telegram;
}

export interface CopyOptions {
  readonly botToken?: string | null;
  readonly mode?: 'polling' | 'webhook';
  readonly publicUrl?: string;
  readonly pace?: TelegramDeps['pace'];
  readonly senderLimits?: TelegramDeps['senderLimits'];
  readonly nowMs?: TelegramDeps['nowMs'];
  readonly prices?: TelegramDeps['prices'];
  readonly name?: string;
  /** The database's address; the direct one when left out. */
  readonly databaseUrl?: string;
  /** Where its HTTP listens; any free port when left out. */
  readonly port?: number;
}

interface CopyDeps extends CopyOptions, Omit<GroundDeps, 'name'> {
  readonly databaseUrl: string;
  readonly urls: Pick<Sandbox['urls'], 'sui' | 'market' | 'telegram'>;
}

export async function startTelegramCopy(deps: CopyDeps): Promise<TelegramCopy> {
  const ground = await startCopyGround(deps, 2_000);
  const telegram = telegramOn(ground, deps);
  return { ...(await runOnGround(ground, telegram, deps.port ?? 0)), telegram };
}

export function telegramOn(ground: CopyGround, deps: Omit<CopyDeps, 'databaseUrl' | 'write'>): Telegram {
  const {
    urls,
    facts,
    pace,
    port = 0,
    clock = systemClock,
    senderLimits,
    nowMs,
    prices,
    botToken = facts.telegramBotToken,
    mode = 'polling',
    publicUrl = `http://localhost:${port === 0 ? 3000 : port}`,
  } = deps;
  const { collections, audit } = ground;
  const shrinker = createImageShrinker();
  const telegram = createTelegram({
    ...ground,
    config: {
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_API_URL: urls.telegram,
      TELEGRAM_MODE: mode,
      PUBLIC_URL: publicUrl,
      EXPLORER_URL: 'https://suiscan.xyz/mainnet',
      TRACKER_POLL_MAX_MS: 45_000,
      MARKET_API_URL: urls.market,
    },
    activity: collections.activity,
    prices: prices ?? (async () => '3.5'),
    rocks: unreadRocks,
    audit: audit.trail,
    shrinker,
    clock,
    ...(senderLimits !== undefined && { senderLimits }),
    ...(nowMs !== undefined && { nowMs }),
    ...(pace !== undefined && { pace }),
  });
  const stop = async (): Promise<void> => {
    await telegram.stop();
    await shrinker.stop();
  };
  return { ...telegram, stop };
}
