import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Update } from 'grammy/types';
import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import { noSuchCall } from '../../http/failure-answer.ts';
import type { Route, RouteAnswer } from '../../http/route.ts';
import { tokenBotId } from '../send/bot-api.ts';
import { updateName } from './admit-updates.ts';

/** Where Telegram is to send updates, and the two secrets that authenticate it (rulings R1, TELEGRAM_MODE). */
export interface WebhookAddress {
  readonly url: string;
  readonly pathSecret: string;
  /** Comes with every call as `X-Telegram-Bot-Api-Secret-Token`. */
  readonly secretToken: string;
}

interface WebhookDeps {
  readonly db: Kysely<Database>;
  readonly config: Pick<Config, 'PUBLIC_URL' | 'TELEGRAM_BOT_TOKEN'>;
  /** False: Telegram keeps the update and delivers it again. */
  readonly isOn: () => Promise<boolean>;
  /** Resolves when the update is stored or need not be. */
  readonly take: (update: Update) => Promise<void>;
}

const webhookPath = '/webhooks/telegram/{secret}';
const updateBytes = 512 * 1_024;

/** Receives updates in webhook mode, in any copy of the product. Answers 'not found' without the secrets. */
export function createWebhook({ db, config, isOn, take }: WebhookDeps) {
  let known: WebhookAddress | null = null;
  /** Read once: the secret never changes. */
  const address = async (): Promise<WebhookAddress> =>
    (known ??= addressOf(config.PUBLIC_URL, secretOfBot(await readSecret(db), tokenBotId(config.TELEGRAM_BOT_TOKEN))));
  const route: Route = {
    method: 'POST',
    path: webhookPath,
    access: 'public',
    summary: 'For Telegram alone: updates of the bot in webhook mode',
    bodyBytes: updateBytes,
    params: z.object({ secret: z.string().max(200) }),
    body: z.unknown(),
    answer: z.object({ ok: z.literal(true) }),
    isWholeBody: true,
    // Runs before up to half a megabyte is read, so that a caller without the secrets costs only a comparison.
    checkFirst: async ({ params, headers }) => {
      const { pathSecret, secretToken } = await address();
      const { secret = '' } = params as { readonly secret?: string };
      const token = String(headers['x-telegram-bot-api-secret-token'] ?? '');
      // Always compares both.
      const isTelegram = [sameSecret(secret, pathSecret), sameSecret(token, secretToken)].every(Boolean);
      return isTelegram ? null : noSuchCall;
    },
    handle: async ({ body }): Promise<RouteAnswer> => {
      const named = updateName.safeParse(body);
      if (!named.success) return noSuchCall;
      if (!(await isOn())) return { status: 503, body: { message: 'The bot is off.', code: 'bot-off' } };
      // Only the id is checked here; `take` checks the rest.
      await take(named.data);
      return { status: 200, body: { ok: true } };
    },
  };
  return { address, route };
}

/** 64 hex digits, made once, by whichever copy asks first. */
async function readSecret(db: Kysely<Database>): Promise<string> {
  const fresh = randomBytes(32).toString('hex');
  const { webhookSecret } = await db
    .updateTable('telegramService')
    .set((service) => ({ webhookSecret: service.fn.coalesce('webhookSecret', service.val(fresh)) }))
    .returning('webhookSecret')
    .executeTakeFirstOrThrow();
  return webhookSecret ?? fresh;
}

/** After a change of bots Telegram still delivers to the earlier one's webhook, such as its removal from each group. */
const secretOfBot = (secret: string, botId: string | null): string =>
  createHmac('sha256', secret)
    .update(botId ?? '')
    .digest('hex');

/** One half of the secret for the path, the other for the header. */
function addressOf(publicUrl: string, secret: string): WebhookAddress {
  const pathSecret = secret.slice(0, 32);
  const url = `${publicUrl}${webhookPath.replace('{secret}', pathSecret)}`;
  return { url, pathSecret, secretToken: secret.slice(32) };
}

/** In constant time for any lengths. */
const sameSecret = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
