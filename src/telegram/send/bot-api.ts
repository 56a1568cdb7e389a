import { autoRetry } from '@grammyjs/auto-retry';
import { Api, GrammyError, HttpError } from 'grammy';
import type { UserFromGetMe } from 'grammy/types';
import { z } from 'zod';

import { Unavailable } from '../../shared/failure.ts';

/** Why a call to the Bot API failed. `sentence` is for people and never holds the token. */
export interface ApiFailure {
  readonly kind: 'refused-token' | 'conflict' | 'rate-limited' | 'forbidden' | 'refused' | 'upstream-error' | 'network';
  readonly sentence: string;
  readonly retryAfterMs: number | null;
}

/** The longest that getUpdates may wait for news at Telegram. */
export const longPollSeconds = 25;
const callSeconds = 10;

/** A 429 with a short wait is obeyed here; what fails otherwise is for the caller to see. */
const retryShortWaits = autoRetry({
  maxRetryAttempts: 2,
  maxDelaySeconds: 10,
  rethrowInternalServerErrors: true,
  rethrowHttpErrors: true,
});

/** The Bot API: `api` for calls that answer at once, `polling` for the one that waits for news. */
export function createBotApi({ token, apiUrl }: { readonly token: string; readonly apiUrl: string }) {
  const client = (timeoutSeconds: number) => new Api(token, { apiRoot: apiUrl, timeoutSeconds });
  const api = client(callSeconds);
  api.config.use(retryShortWaits);
  return { api, polling: client(longPollSeconds + callSeconds) };
}
export type BotApi = ReturnType<typeof createBotApi>;

const unreadableReason = 'telegram-unreadable';

/** For an answer that grammY takes as it comes and that is not what the Bot API promises. */
export const unreadable = (method: string): Unavailable =>
  new Unavailable(unreadableReason, `Telegram's answer to ${method} cannot be read.`);

const otherBotReason = 'telegram-other-bot';

/** A token begins with the bot's id (Bot API, Authorizing your bot). */
export const tokenBotId = (botToken: string | null): string | null => /^(\d+):/.exec(botToken ?? '')?.[1] ?? null;

/** The token is of another bot than the one that the groups know; its name, or null. */
export const otherBot = (knownAs: string | null): Unavailable => {
  const known = knownAs === null ? 'the one' : `@${knownAs}, the one`;
  const sentence = `TELEGRAM_BOT_TOKEN belongs to another bot than ${known} that the groups know. Put back that bot's token and restart the product; if the change is meant, press 'Stop trying', then 'Initialize Bot', and add the new bot to every group.`;
  return new Unavailable(otherBotReason, sentence);
};

const meAnswer = z.looseObject({ id: z.int().positive(), is_bot: z.literal(true), username: z.string().min(1) });

/** Who the bot is. Every command is read by it, for as long as the bot runs: it is looked at first. Throws what getMe throws, and Unavailable. */
export async function readMe(api: Pick<Api, 'getMe'>, stop?: AbortSignal): Promise<UserFromGetMe> {
  const me = await api.getMe(stop as never);
  if (!meAnswer.safeParse(me).success) throw unreadable('getMe');
  return me;
}

/** null: not a failure of the Bot API. */
export function apiFailureOf(error: unknown): ApiFailure | null {
  if (error instanceof Unavailable && error.reason === unreadableReason) {
    return { kind: 'upstream-error', sentence: error.message, retryAfterMs: null };
  }
  if (error instanceof Unavailable && error.reason === otherBotReason) {
    return { kind: 'refused-token', sentence: error.message, retryAfterMs: null };
  }
  if (error instanceof HttpError) {
    return {
      kind: 'network',
      sentence: 'Telegram could not be reached, or did not answer in time.',
      retryAfterMs: null,
    };
  }
  if (!(error instanceof GrammyError)) return null;
  return { ...meaningOf(error), retryAfterMs: askedWaitMs(error.parameters.retry_after) };
}

function meaningOf({ error_code: status, method, description }: GrammyError): Omit<ApiFailure, 'retryAfterMs'> {
  // An impossible token is answered with 404, a revoked one with 401.
  if (status === 401 || (status === 404 && method === 'getMe')) {
    return {
      kind: 'refused-token',
      sentence:
        'Telegram refused the bot token. Ask @BotFather for a valid one, set TELEGRAM_BOT_TOKEN to it and restart the product.',
    };
  }
  if (status === 409) {
    return {
      kind: 'conflict',
      sentence:
        'Another program polls with this token. Stop it, or ask @BotFather for a token of its own; this bot tries again by itself.',
    };
  }
  if (status === 429) return { kind: 'rate-limited', sentence: 'Telegram asks the bot to slow down.' };
  if (status === 403) return { kind: 'forbidden', sentence: `Telegram says: ${shorten(description)}.` };
  if (status >= 500) return { kind: 'upstream-error', sentence: 'Telegram reports an error of its own.' };
  return { kind: 'refused', sentence: `Telegram refused ${method}: ${shorten(description)}.` };
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text).replace(/\.$/, '');

/** Far beyond what Telegram asks for; a longer wait is a mistake, and fits neither a timer nor a time of the database. */
const longestWaitMs = 7 * 24 * 3_600_000;

/** `retry_after` (Bot API, ResponseParameters) in milliseconds; null: none, or none that can be read. */
export const askedWaitMs = (seconds: unknown): number | null =>
  typeof seconds === 'number' && !Number.isNaN(seconds) ? Math.min(longestWaitMs, Math.max(0, seconds * 1_000)) : null;
