import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { trackingFor } from '../../src/telegram/adapters/collection-tracking.ts';
import type { TelegramTables } from '../../src/telegram/adapters/tables.ts';
import { createTelegram, type Telegram, type TelegramDeps } from '../../src/telegram/telegram.ts';
import { type BotCopy, type GroundDeps, runOnGround, startCopyGround } from './copy-ground.ts';

/** One copy of the product, as far as the bot goes, with its admin calls over real HTTP. */
export interface TelegramCopy extends BotCopy {
  readonly telegram: Telegram;
}

export interface CopyOptions extends Partial<Omit<TelegramDeps['settings'], 'trustedImageHosts'>> {
  readonly pace?: TelegramDeps['pace'];
  readonly name?: string;
  /** Its way to the database; the direct one when left out. */
  readonly databaseUrl?: string;
  /** Where its HTTP listens; any free port when left out. */
  readonly port?: number;
}

interface CopyDeps extends CopyOptions, Omit<GroundDeps, 'name'> {
  readonly databaseUrl: string;
  readonly urls: Pick<Sandbox['urls'], 'sui' | 'market' | 'telegram'>;
}

export async function startTelegramCopy(deps: CopyDeps): Promise<TelegramCopy> {
  const { databaseUrl: _databaseUrl, urls, facts, write: _write, pace, name: _name, port = 0, ...settings } = deps;
  const ground = await startCopyGround<TelegramTables>(deps, 2_000);
  const { db, leases, changes, collections, audit, log, copy } = ground;
  const telegram = createTelegram({
    settings: {
      botToken: facts.telegramBotToken,
      apiUrl: urls.telegram,
      mode: 'polling',
      publicUrl: `http://localhost:${port === 0 ? 3000 : port}`,
      explorerUrl: 'https://suiscan.xyz/mainnet',
      ...settings,
      trustedImageHosts: ['127.0.0.1:*', 'localhost:*'],
    },
    db,
    leases,
    changes,
    log,
    tracking: trackingFor(collections.activity),
    history: collections.activity,
    prices: { usdPerSui: () => '3.5' },
    audit: audit.trail,
    clock: systemClock,
    copy,
    ...(pace !== undefined && { pace }),
  });
  return { ...(await runOnGround(ground, telegram, port)), telegram };
}
