import {
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  GatewayCloseCodes,
  HTTPError,
  RateLimitError,
} from 'discord.js';

import type { BotFailure } from '../../bot-service/bot-runner.ts';
import { Unavailable } from '../../shared/failure.ts';
import { otherBotReason } from '../bot.ts';

/** The gateway ended the connection for good, or it could not be kept. */
export class GatewayEnded extends Error {
  /** A close code of Discord's (documentation, topics/opcodes-and-status-codes); null: no answer. */
  readonly closeCode: number | null;

  constructor(closeCode: number | null) {
    super(closeCode === null ? 'The gateway does not answer' : `The gateway closed with ${closeCode}`);
    this.name = 'GatewayEnded';
    this.closeCode = closeCode;
  }
}

export class GatewayUnreadable extends Error {
  constructor(cause: unknown) {
    super('The gateway sent something unreadable', { cause });
    this.name = 'GatewayUnreadable';
  }
}

/** Each start counts towards Discord's 1,000 a day: what only a person can fix is retried slowly. */
const patientMs = 300_000;
/** Used when Discord gives no usable time. */
const slowDownMs = 30_000;
const developerPortal =
  'Discord developer portal (https://discord.com/developers/applications) → your application → Bot';

export const unreachable = 'Discord could not be reached, or did not answer in time.';
const itsOwnError = 'Discord reports an internal error.';

/** null: neither Discord's failure nor the network's. */
export function gatewayFailureOf(error: unknown): BotFailure | null {
  if (error instanceof Unavailable && error.reason === otherBotReason) return atOnce(error.message);
  if (error instanceof GatewayEnded) return closeFailure(error.closeCode);
  if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid) return refusedToken;
  if (error instanceof DiscordAPIError) return requestFailure(error);
  if (error instanceof RateLimitError)
    return { sentence: 'Discord asks the bot to slow down.', retryAfterMs: slowDownMs };
  if (!(error instanceof Error)) return null;
  // ws: the gateway answered the handshake with a status.
  const hasNoHandshake = error.message.startsWith('Unexpected server response: ');
  if (error instanceof HTTPError || hasNoHandshake) return atOnce(itsOwnError);
  // SyntaxError: an answer was not JSON.
  if (error instanceof GatewayUnreadable || error instanceof SyntaxError) {
    return atOnce('Discord’s answer could not be read.');
  }
  // @discordjs/ws, WebSocketManager.connect: the day's starts are used up.
  if (error.message.startsWith('Not enough sessions remaining')) {
    const sentence = 'Discord allows the bot no more starts today: it was started too often. It tries again by itself.';
    return { sentence, retryAfterMs: patientMs };
  }
  return isNetworkError(error) ? atOnce(unreachable) : null;
}

const atOnce = (sentence: string): BotFailure => ({ sentence, retryAfterMs: null });

const forPerson = (sentence: string, retryAfterMs: number | null = patientMs): BotFailure => ({
  sentence,
  retryAfterMs,
  isForPerson: true,
});

const refusedToken = forPerson(
  `Discord refused the bot token. In the ${developerPortal}, press Reset Token, set DISCORD_BOT_TOKEN to the new one and restart the product.`,
);

const requestFailure = ({ status, message }: DiscordAPIError): BotFailure =>
  status === 401 ? refusedToken : atOnce(`Discord refused the bot's request: ${message.slice(0, 200)}.`);

/** Close codes after which Discord wants no retry (documentation, topics/opcodes-and-status-codes, 'Gateway Close Event Codes'). */
const finalCloses: ReadonlyMap<number, BotFailure> = new Map([
  [GatewayCloseCodes.AuthenticationFailed, refusedToken],
  [
    GatewayCloseCodes.ShardingRequired,
    // Each attempt asks again how many shards there should be: usually the number has grown, and the next attempt succeeds.
    forPerson(
      'Discord wants the bot to divide its servers among more connections (code 4011, sharding required) than GET /gateway/bot recommends. Check that DISCORD_API_URL leads to Discord itself and not to something that answers in its place, then restart the product.',
      null,
    ),
  ],
  [
    GatewayCloseCodes.DisallowedIntents,
    forPerson(
      `Discord does not let the bot see members. In the ${developerPortal} → Privileged Gateway Intents, switch on 'Server Members Intent', or apply for it if the page asks for that, and save; then press 'Stop trying' and 'Start' here.`,
    ),
  ],
]);

/** A wrong shard, API version or intent (4010, 4012, 4013): Discord no longer supports what this product sends. */
const outdated = new Set<number>([
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
]);

function closeFailure(code: number | null): BotFailure {
  if (code === null) return atOnce(unreachable);
  if (outdated.has(code))
    return forPerson(`Discord does not accept this version of the product (code ${code}). Update it and restart it.`);
  return finalCloses.get(code) ?? atOnce(`Discord closed the connection (code ${code}).`);
}

const networkCode = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_)/;

function isNetworkError(error: Error): boolean {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (networkCode.test(code)) return true;
  return error.cause instanceof Error && isNetworkError(error.cause);
}
