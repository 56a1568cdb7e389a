import { setTimeout as delay } from 'node:timers/promises';

import type { Api } from 'grammy';
import type { BotCommand, BotCommandScope, UserFromGetMe, WebhookInfo } from 'grammy/types';

import type { RunReport } from '../../bot-service/bot-runner.ts';
import { type BotApi, readMe } from '../send/bot-api.ts';
import { type CommandScope, menuOf } from '../commands/command-table.ts';
import type { UpdateIntake } from './take-updates.ts';
import { handledUpdates } from './update-outline.ts';
import { pollUpdates } from './update-poller.ts';
import type { WebhookAddress } from './webhook.ts';

export interface RunBotDeps {
  readonly botApi: BotApi;
  /** null: polling. */
  readonly webhook: (() => Promise<WebhookAddress>) | null;
  readonly take: UpdateIntake['take'];
  /** Identifies the bot before the first update. */
  readonly meet: (me: UserFromGetMe) => Promise<void>;
}

const lookEveryMs = 30_000;
const webhookConnections = 20;

/** Connects to Telegram and takes updates until stopped, in the configured mode; switches the other mode off. */
export async function runBot(
  { botApi, webhook, take, meet }: RunBotDeps,
  report: RunReport,
  stop: AbortSignal,
): Promise<void> {
  const { api } = botApi;
  const me = await readMe(api, stop);
  await meet(me);
  const name = { id: String(me.id), username: me.username };
  const connected = (): void => report.connected(name);
  if (webhook === null) {
    // While a webhook is set, getUpdates is refused (Bot API, getUpdates). Pending updates are kept.
    await api.deleteWebhook({}, stop as never);
    await pollUpdates({ api: botApi.polling, take, onAnswer: connected }, stop);
    return;
  }
  await keepWebhook(api, await webhook(), { ok: connected, trouble: report.troubled }, stop);
  // Not when the product merely stops: updates would wait at Telegram without a webhook, too.
  if (stop.reason === 'unwanted') await api.deleteWebhook();
}

interface WebhookReport {
  readonly ok: () => void;
  readonly trouble: (sentence: string) => void;
}

async function keepWebhook(
  api: BotApi['api'],
  { url, secretToken }: WebhookAddress,
  report: WebhookReport,
  stop: AbortSignal,
): Promise<void> {
  const options = { secret_token: secretToken, allowed_updates: handledUpdates, max_connections: webhookConnections };
  // Always set at the start: the secret that Telegram holds cannot be read.
  await api.setWebhook(url, options, stop as never);
  report.ok();
  for (;;) {
    await delay(lookEveryMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    const info = await api.getWebhookInfo(stop as never);
    if (info.url !== url) await api.setWebhook(url, options, stop as never);
    const trouble = undelivered(info);
    if (trouble === null) report.ok();
    else report.trouble(trouble);
  }
}

/** Set when Telegram has updates and cannot deliver them; null otherwise. */
function undelivered(info: WebhookInfo): string | null {
  const { last_error_date: seconds = 0, last_error_message: message, pending_update_count: waiting } = info;
  const isRecent = Date.now() - seconds * 1_000 < 2 * lookEveryMs;
  if (message === undefined || waiting === 0 || !isRecent) return null;
  return `Telegram cannot deliver ${waiting} updates to PUBLIC_URL: ${message.slice(0, 200)}. Check that it is reachable over https.`;
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
