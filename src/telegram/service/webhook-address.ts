import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where Telegram is to send updates, and the two secrets by which it is recognised (rulings R1, TELEGRAM_MODE). */
export interface WebhookAddress {
  readonly url: string;
  readonly pathSecret: string;
  /** Comes with every call as `X-Telegram-Bot-Api-Secret-Token`. */
  readonly secretToken: string;
}

export const webhookPath = '/webhooks/telegram/{secret}';

/** 64 hex digits: one half for the path, the other for the header. */
export const newWebhookSecret = (): string => randomBytes(32).toString('hex');

/** A new token of the bot, or a new address of the product, makes another webhook. */
export function webhookAddress(publicUrl: string, secret: string): WebhookAddress {
  const pathSecret = secret.slice(0, 32);
  return {
    url: `${publicUrl}${webhookPath.replace('{secret}', pathSecret)}`,
    pathSecret,
    secretToken: secret.slice(32),
  };
}

/** In constant time, whatever the lengths. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
