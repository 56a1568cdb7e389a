import { DiscordAPIError, HTTPError, RateLimitError, Routes } from 'discord.js';

import { callFailure } from '../../sources/call-failure.ts';
import type { ChannelVoice } from '../ports.ts';
import { createRestClient, plainMessage, type RestOptions } from './rest-client.ts';

/** No connection was made, so no message was sent. */
const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Sends plain text to a channel over REST. */
export function createChannelVoice(options: RestOptions): ChannelVoice {
  const rest = createRestClient(options);
  return {
    say: async (channelId, content) => {
      try {
        await rest().post(Routes.channelMessages(channelId), { body: plainMessage(content) });
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
