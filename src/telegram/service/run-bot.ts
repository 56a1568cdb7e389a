import { setTimeout as delay } from 'node:timers/promises';

import type { UserFromGetMe } from 'grammy/types';

import type { BotApi } from '../adapters/bot-api.ts';
import type { BotName } from './bot-turn.ts';
import { handledUpdates } from './handled-updates.ts';
import { pollUpdates } from './update-poller.ts';
import type { UpdateQueue } from './update-queue.ts';
import type { WebhookAddress } from './webhook-address.ts';

export interface RunBotDeps {
  readonly botApi: BotApi;
  /** null: polling. */
  readonly webhook: (() => Promise<WebhookAddress>) | null;
  readonly queue: UpdateQueue;
  /** Who the bot is, before the first update. */
  readonly meet: (me: UserFromGetMe) => Promise<void>;
}

const lookEveryMs = 30_000;
const webhookConnections = 20;

/** Connects to Telegram and takes updates until stopped, in the configured mode; the other mode is switched off. */
export async function runBot(
  { botApi, webhook, queue, meet }: RunBotDeps,
  onConnected: (bot: BotName) => void,
  stop: AbortSignal,
): Promise<void> {
  const { api } = botApi;
  const me = await api.getMe(stop as never);
  await meet(me);
  if (webhook === null) {
    // While a webhook is set, getUpdates is refused (Bot API, getUpdates). What waits there is kept.
    await api.deleteWebhook({}, stop as never);
    await pollUpdates({ api: botApi.polling, queue, onAnswer: () => onConnected(me) }, stop);
    return;
  }
  await keepWebhook(api, await webhook(), () => onConnected(me), stop);
  // Not when the product merely ends: what happens until it is back would wait without it, too.
  if (stop.reason === 'unwanted') await api.deleteWebhook();
}

async function keepWebhook(
  api: BotApi['api'],
  { url, secretToken }: WebhookAddress,
  onConnected: () => void,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const info = await api.getWebhookInfo(stop as never);
    if (info.url !== url || !sameUpdates(info.allowed_updates)) {
      const options = {
        secret_token: secretToken,
        allowed_updates: handledUpdates,
        max_connections: webhookConnections,
      };
      await api.setWebhook(url, options, stop as never);
    }
    onConnected();
    await delay(lookEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

const sameUpdates = (set: readonly string[] | undefined): boolean =>
  set?.length === handledUpdates.length && handledUpdates.every((kind) => set.includes(kind));
