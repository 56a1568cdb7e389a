import type { Update } from 'grammy/types';
import { z } from 'zod';

import { noSuchCall } from '../../server/failure-answer.ts';
import type { Route, RouteAnswer } from '../../server/route.ts';
import { sameSecret, type WebhookAddress, webhookPath } from './webhook-address.ts';

export interface WebhookIntake {
  readonly address: () => Promise<WebhookAddress>;
  /** False: the bot is not to run; Telegram keeps the update and brings it again. */
  readonly isWanted: () => Promise<boolean>;
  readonly take: (update: Update) => Promise<void>;
}

const updateBytes = 512 * 1_024;

/** What is needed to hand an update on; its parts are read by grammY's own rules. */
const updateShape = z.looseObject({ update_id: z.int() });

/** Where Telegram delivers updates in webhook mode: to any copy of the product. Whoever lacks the secrets finds nothing. */
export const webhookRoute = ({ address, isWanted, take }: WebhookIntake): Route => ({
  method: 'POST',
  path: webhookPath,
  access: 'public',
  summary: 'For Telegram alone: updates of the bot in webhook mode',
  readsHeader: 'x-telegram-bot-api-secret-token',
  bodyBytes: updateBytes,
  params: z.object({ secret: z.string().max(200) }),
  body: z.unknown(),
  answer: z.object({ ok: z.literal(true) }),
  handle: async ({ params, body, header }): Promise<RouteAnswer> => {
    const { pathSecret, secretToken } = await address();
    const { secret } = params as { readonly secret: string };
    // Both are compared, whichever differs.
    const isTelegram = [sameSecret(secret, pathSecret), sameSecret(header ?? '', secretToken)].every(Boolean);
    const update = updateShape.safeParse(body);
    if (!isTelegram || !update.success) return noSuchCall;
    if (!(await isWanted())) {
      return { status: 503, body: { message: 'The bot is off.', code: 'bot-off' } };
    }
    await take(update.data);
    return { status: 200, body: { ok: true } };
  },
});
