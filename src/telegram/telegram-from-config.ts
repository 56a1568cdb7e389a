import type { Config } from '../config.ts';
import { createSuiPrice } from './sui-price.ts';
import { createTelegram, type Telegram, type TelegramDeps } from './telegram.ts';

interface FromConfigDeps extends Omit<TelegramDeps, 'settings' | 'tracking' | 'history' | 'prices'> {
  readonly activity: TelegramDeps['tracking'] & TelegramDeps['history'];
  readonly prices: Parameters<typeof createSuiPrice>[0];
}

/** The group-chat bot of this environment, with its own view of the activity pipeline. */
export const telegramFrom = (config: Config, { activity, prices, ...deps }: FromConfigDeps): Telegram =>
  createTelegram({
    ...deps,
    tracking: activity,
    history: activity,
    prices: createSuiPrice(prices, deps.clock),
    settings: {
      botToken: config.TELEGRAM_BOT_TOKEN,
      apiUrl: config.TELEGRAM_API_URL,
      mode: config.TELEGRAM_MODE,
      publicUrl: config.PUBLIC_URL,
      explorerUrl: config.EXPLORER_URL,
      pollMaxMs: config.TRACKER_POLL_MAX_MS,
      trustedImageHosts: hostsOfMarketHere(config.MARKET_API_URL),
    },
  });

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** A marketplace on this machine serves its pictures from its own port as well; other ports here are not trusted. */
function hostsOfMarketHere(apiUrl: string): readonly string[] {
  const { hostname, port, protocol } = new URL(apiUrl);
  const ofProtocol = protocol === 'https:' ? '443' : '80';
  return loopbackNames.includes(hostname) ? loopbackNames.map((name) => `${name}:${port || ofProtocol}`) : [];
}
