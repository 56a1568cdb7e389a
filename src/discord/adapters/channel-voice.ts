import { DiscordAPIError, HTTPError, RateLimitError, REST, Routes } from 'discord.js';

import { callFailure } from '../../platform/call-failure.ts';
import type { ChannelVoice } from '../ports.ts';

const timeoutMs = 10_000;
const longestWaitMs = 3_000;
/** Discord's flag of a message without previews of links. */
const suppressEmbeds = 4;
/** No connection came about, so no message left. */
const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Plain words to one channel over REST. `apiUrl`: without version and trailing slash. */
export function createChannelVoice({
  token,
  apiUrl,
}: {
  readonly token: string;
  readonly apiUrl: string;
}): ChannelVoice {
  const rest = new REST({
    api: apiUrl,
    version: '10',
    timeout: timeoutMs,
    retries: 0,
    rejectOnRateLimit: ({ timeToReset, retryAfter }) => Math.max(timeToReset, retryAfter) > longestWaitMs,
  });
  return {
    say: async (channelId, content) => {
      try {
        const body = { content, allowed_mentions: { parse: [] }, flags: suppressEmbeds };
        // The token anew: discord.js forgets it after one 401.
        await rest.setToken(token).post(Routes.channelMessages(channelId), { body });
        return { kind: 'said' };
      } catch (error) {
        return readFailure(error);
      }
    },
  };
}

function readFailure(error: unknown): Awaited<ReturnType<ChannelVoice['say']>> {
  if (error instanceof RateLimitError) return { kind: 'not-now', reason: 'Discord asks us to slow down' };
  if (error instanceof DiscordAPIError && error.status < 500) {
    return { kind: 'refused', reason: `Discord refused it (code ${error.code})` };
  }
  if (error instanceof DiscordAPIError || error instanceof HTTPError) {
    return { kind: 'not-now', reason: 'Discord reports an error of its own' };
  }
  const { code, cause } = (error instanceof Error ? error : {}) as {
    readonly code?: unknown;
    readonly cause?: unknown;
  };
  const causeCode = (cause instanceof Error ? cause : {}) as { readonly code?: unknown };
  if (neverLeft.has(String(code)) || neverLeft.has(String(causeCode.code))) {
    return { kind: 'not-now', reason: 'Discord could not be reached' };
  }
  throw callFailure('Discord', 'network', { cause: error });
}
