import type { Api } from 'grammy';
import type { BotCommand, BotCommandScope, Update, UserFromGetMe, WebhookInfo } from 'grammy/types';
import { z } from 'zod';

import type { RunReport } from '../../bot-service/bot-runner.ts';
import { pause } from '../../process/in-time.ts';
import { counted } from '../../shared/money.ts';
import { type BotApi, longPollSeconds, readMe, unreadable } from '../send/bot-api.ts';
import { type CommandScope, menuOf } from '../commands/command-table.ts';
import { handledUpdates, updateName } from './admit-updates.ts';
import type { WebhookAddress } from './webhook.ts';

interface RunBotDeps {
  readonly botApi: BotApi;
  /** null: polling. */
  readonly webhook: (() => Promise<WebhookAddress>) | null;
  readonly take: (updates: readonly Update[]) => Promise<void>;
  /** Called with the bot's identity before the first update. */
  readonly onIdentified: (me: UserFromGetMe, stop: AbortSignal) => Promise<void>;
}

const checkEveryMs = 30_000;
const webhookConnections = 20;

/** Connects to Telegram and takes updates until stopped, in the configured mode; switches the other mode off. */
export async function runBot(
  { botApi, webhook, take, onIdentified }: RunBotDeps,
  report: RunReport,
  stop: AbortSignal,
): Promise<void> {
  const { api } = botApi;
  const me = await readMe(api, stop);
  await onIdentified(me, stop);
  const name = { id: String(me.id), username: me.username };
  const connected = (trouble: string | null): void => report.connected(name, trouble);
  if (webhook === null) {
    // While a webhook is set, getUpdates is refused (Bot API, getUpdates). Pending updates are kept.
    await api.deleteWebhook({}, stop as never);
    await pollUpdates({ api: botApi.polling, take, onAnswer: () => connected(null) }, stop);
    return;
  }
  await keepWebhook(api, await webhook(), connected, stop);
  // Kept when the product merely stops: updates wait at Telegram with or without a webhook.
  if (stop.reason === 'unwanted') await api.deleteWebhook();
}

interface PollerDeps {
  readonly api: Pick<Api, 'getUpdates'>;
  /** Resolves when all updates that must not be lost are stored. */
  readonly take: (updates: readonly Update[]) => Promise<void>;
  readonly onAnswer: () => void;
}

const batchSize = 100;
const namedUpdates = z.array(updateName);

/**
 * Asks Telegram for updates until stopped. Confirms them only after they are taken: a crash repeats them, never loses
 * one (Bot API, getUpdates: an update is confirmed as soon as a higher offset is requested). Rejects with the errors of
 * getUpdates and of `take` (the updates stay unconfirmed), or as Unavailable if the answer is not a list of updates.
 */
export async function pollUpdates({ api, take, onAnswer }: PollerDeps, stop: AbortSignal): Promise<void> {
  // No offset until there is something to confirm: ids restart anywhere after a week of silence (Bot API, Update).
  let offset: number | undefined;
  // The first request returns at once, to learn whether Telegram answers.
  let waitSeconds = 0;
  try {
    while (!stop.aborted) {
      const request = { limit: batchSize, timeout: waitSeconds, allowed_updates: handledUpdates };
      const updates = await api.getUpdates({ ...request, ...(offset !== undefined && { offset }) }, stop as never);
      offset = undefined;
      // Nothing is confirmed: an answer without update ids may contain anything.
      if (!namedUpdates.safeParse(updates).success) throw unreadable('getUpdates');
      waitSeconds = longPollSeconds;
      onAnswer();
      if (updates.length === 0) continue;
      await take(updates);
      offset = Math.max(...updates.map(({ update_id: id }) => id)) + 1;
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

async function keepWebhook(
  api: BotApi['api'],
  { url, secretToken }: WebhookAddress,
  connected: (trouble: string | null) => void,
  stop: AbortSignal,
): Promise<void> {
  const options = { secret_token: secretToken, allowed_updates: handledUpdates, max_connections: webhookConnections };
  // Always set at the start: the secret that Telegram holds cannot be read back.
  await api.setWebhook(url, options, stop as never);
  connected(null);
  for (;;) {
    await pause(checkEveryMs, stop);
    if (stop.aborted) return;
    const info = await api.getWebhookInfo(stop as never);
    if (info.url !== url) await api.setWebhook(url, options, stop as never);
    connected(undelivered(info));
  }
}

/** An error text if Telegram has updates that it cannot deliver; otherwise null. */
function undelivered(info: WebhookInfo): string | null {
  const { last_error_date: seconds = 0, last_error_message: message, pending_update_count: waiting } = info;
  const isRecent = Date.now() - seconds * 1_000 < 2 * checkEveryMs;
  if (message === undefined || waiting === 0 || !isRecent) return null;
  return `Telegram cannot deliver ${counted(waiting, 'update')} to PUBLIC_URL: ${message.slice(0, 200)}. Check that it is reachable over https.`;
}

const scopes: Readonly<Record<CommandScope, BotCommandScope>> = {
  private: { type: 'all_private_chats' },
  group: { type: 'all_group_chats' },
  'group-admins': { type: 'all_chat_administrators' },
};

/** What people see under the bot's name before they add it (Bot API: at most 120 characters). */
const shortDescription = 'Posts the mints, sales, listings and bids of one NFT collection on Sui in your group.';

type IntroductionApi = Pick<Api, 'getMyCommands' | 'setMyCommands' | 'getMyShortDescription' | 'setMyShortDescription'>;

/** Registers the commands with their scopes and the short description (rulings R4), if they differ. */
export async function introduceBot(api: IntroductionApi, stop: AbortSignal): Promise<void> {
  for (const [name, scope] of Object.entries(scopes) as [CommandScope, BotCommandScope][]) {
    const commands = menuOf(name);
    const known = await api.getMyCommands({ scope }, stop as never);
    if (!sameCommands(known, commands)) await api.setMyCommands(commands, { scope }, stop as never);
  }
  const present = await api.getMyShortDescription({}, stop as never);
  if (present.short_description !== shortDescription) {
    await api.setMyShortDescription(shortDescription, {}, stop as never);
  }
}

const sameCommands = (known: readonly BotCommand[], wanted: readonly BotCommand[]): boolean =>
  known.length === wanted.length &&
  wanted.every(
    ({ command, description }, at) => known[at]?.command === command && known[at]?.description === description,
  );
