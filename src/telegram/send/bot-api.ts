import { autoRetry } from '@grammyjs/auto-retry';
import { Api, GrammyError, HttpError } from 'grammy';
import type { UserFromGetMe } from 'grammy/types';
import { z } from 'zod';

import { Unavailable } from '../../shared/failure.ts';

/** Why a call to the Bot API failed. `sentence` is for people and never contains the token. */
export interface ApiFailure {
  readonly kind: 'refused-token' | 'conflict' | 'rate-limited' | 'forbidden' | 'refused' | 'upstream-error' | 'network';
  readonly sentence: string;
  readonly retryAfterMs: number | null;
}

export const longPollSeconds = 25;
const callSeconds = 10;

/** Waits out a 429 with a short wait; other failures are left to the caller. */
const retryShortWaits = autoRetry({
  maxRetryAttempts: 2,
  maxDelaySeconds: 10,
  rethrowInternalServerErrors: true,
  rethrowHttpErrors: true,
});

/** The Bot API: `api` for calls that answer at once, `polling` for the long poll. */
export function createBotApi({ token, apiUrl }: { readonly token: string; readonly apiUrl: string }) {
  const client = (timeoutSeconds: number) => new Api(token, { apiRoot: apiUrl, timeoutSeconds });
  const api = client(callSeconds);
  api.config.use(retryShortWaits);
  return { api, polling: client(longPollSeconds + callSeconds) };
}
export type BotApi = ReturnType<typeof createBotApi>;

const unreadableReason = 'telegram-unreadable';

/** For an answer that grammY accepts but that breaks the Bot API. */
export const unreadable = (method: string): Unavailable =>
  new Unavailable(unreadableReason, `Telegram's answer to ${method} cannot be read.`);

const otherBotReason = 'telegram-other-bot';

/** A token begins with the bot's id (Bot API, Authorizing your bot). */
export const tokenBotId = (botToken: string | null): string | null => /^(\d+):/.exec(botToken ?? '')?.[1] ?? null;

/** For a token of another bot than the one in the groups. `knownAs`: that bot's username; null: unknown. */
export const otherBot = (knownAs: string | null): Unavailable => {
  const known = knownAs === null ? 'the bot' : `@${knownAs}, the bot`;
  const sentence = `TELEGRAM_BOT_TOKEN is not the token of ${known} that the groups know. Put back that bot's token and restart the product; to change bots on purpose, press 'Stop trying', then 'Initialize Bot', and add the new bot to every group.`;
  return new Unavailable(otherBotReason, sentence);
};

const meAnswer = z.looseObject({ id: z.int().positive(), is_bot: z.literal(true), username: z.string().min(1) });

/** The bot's identity, which reading commands relies on. Throws the errors of getMe, and Unavailable. */
export async function readMe(api: Pick<Api, 'getMe'>, stop?: AbortSignal): Promise<UserFromGetMe> {
  const me = await api.getMe(stop as never);
  if (!meAnswer.safeParse(me).success) throw unreadable('getMe');
  return me;
}

/** null: not a failure of the Bot API. */
export function apiFailureOf(error: unknown): ApiFailure | null {
  const failure = (kind: ApiFailure['kind'], sentence: string, retryAfterMs: number | null = null): ApiFailure => ({
    kind,
    sentence,
    retryAfterMs,
  });
  if (error instanceof Unavailable && error.reason === unreadableReason)
    return failure('upstream-error', error.message);
  if (error instanceof Unavailable && error.reason === otherBotReason) return failure('refused-token', error.message);
  if (error instanceof HttpError)
    return failure('network', 'Telegram could not be reached, or did not answer in time.');
  if (!(error instanceof GrammyError)) return null;
  return failure(...meaningOf(error), askedWaitMs(error.parameters.retry_after));
}

function meaningOf({ error_code: status, method, description }: GrammyError): [ApiFailure['kind'], string] {
  // A malformed token is answered with 404, a revoked one with 401.
  if (status === 401 || (status === 404 && method === 'getMe')) {
    return [
      'refused-token',
      'Telegram refused the bot token. Ask @BotFather for a valid one, set TELEGRAM_BOT_TOKEN to it and restart the product.',
    ];
  }
  if (status === 409) {
    return [
      'conflict',
      'Another program polls with this token. Stop it, or ask @BotFather for a token of its own; this bot tries again by itself.',
    ];
  }
  if (status === 429) return ['rate-limited', 'Telegram asks the bot to slow down.'];
  if (status === 403) return ['forbidden', `Telegram says: ${shorten(description)}.`];
  if (status >= 500) return ['upstream-error', 'Telegram reports an internal error.'];
  return ['refused', `Telegram refused ${method}: ${shorten(description)}.`];
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text).replace(/\.$/, '');

/** Far beyond what Telegram requests; a longer wait is a mistake, and fits neither a timer nor a database time. */
const longestWaitMs = 7 * 24 * 3_600_000;

/** `retry_after` (Bot API, ResponseParameters) in milliseconds; null: missing or unreadable. */
export const askedWaitMs = (seconds: unknown): number | null =>
  typeof seconds === 'number' && !Number.isNaN(seconds) ? Math.min(longestWaitMs, Math.max(0, seconds * 1_000)) : null;
