import { DiscordAPIError, HTTPError, RateLimitError, Routes } from 'discord.js';

import { callFailure } from '../../sources/call-failure.ts';
import type { PlatformOutcome, RolePlatform } from '../ports.ts';
import { createRestClient, plainMessage, type RestOptions } from './rest-client.ts';

const upstream = 'Discord';
/** Where Discord names no readable time. */
const limitedMinMs = 1_000;
/** Far beyond what Discord asks for; a longer wait is a mistake and does not fit a database time. */
const limitedMaxMs = 7 * 24 * 3_600_000;

type Refusal = Extract<PlatformOutcome, { readonly kind: 'refused' }>;
const refused = (code: Refusal['code'], sentence: string): Refusal => ({ kind: 'refused', code, sentence });

const lacksPermission = refused(
  'missing-permission',
  'Discord does not let the bot change this role. In Server Settings > Roles give the bot\'s role "Manage Roles" and drag it above the role it gives.',
);
const closedMessages = refused('direct-messages-closed', 'The member does not accept direct messages.');

/** Codes of Discord's documentation (Opcodes and Status Codes, JSON error codes). */
const refusals: ReadonlyMap<number | string, Refusal> = new Map([
  [50013, lacksPermission],
  [50001, lacksPermission],
  [10011, refused('unknown-role', 'The role is gone. Choose another one with /setup.')],
  [10007, refused('unknown-member', 'The member has left the server.')],
  [10013, refused('unknown-member', 'Discord does not know this user any more.')],
  [10004, refused('unknown-guild', 'The bot is not in this server any more. Invite it again.')],
  [50007, closedMessages],
  [50278, closedMessages],
]);

/** Discord's REST for the role engine; explains refusals in our words. */
export function createRolePlatform(options: RestOptions): RolePlatform {
  const rest = createRestClient(options);
  return {
    grantRole: ({ guildId, userId, roleId }, reason, stop?: AbortSignal) =>
      outcomeOf(() => rest().put(Routes.guildMemberRole(guildId, userId, roleId), { reason, ...until(stop) })),
    removeRole: ({ guildId, userId, roleId }, reason, stop?: AbortSignal) =>
      outcomeOf(() => rest().delete(Routes.guildMemberRole(guildId, userId, roleId), { reason, ...until(stop) })),
    sendDirectMessage: (userId, content, stop?: AbortSignal) =>
      outcomeOf(async () => {
        const channel = await rest().post(Routes.userChannels(), {
          body: { recipient_id: userId },
          ...until(stop),
        });
        await rest().post(Routes.channelMessages(channelId(channel)), { body: plainMessage(content), ...until(stop) });
      }),
  };
}

const until = (stop: AbortSignal | undefined) => (stop === undefined ? {} : { signal: stop });

function channelId(channel: unknown): string {
  const id = typeof channel === 'object' && channel !== null && 'id' in channel ? channel.id : null;
  if (typeof id === 'string' && /^\d{5,20}$/.test(id)) return id;
  throw callFailure(upstream, 'malformed-answer');
}

async function outcomeOf(call: () => Promise<unknown>): Promise<PlatformOutcome> {
  try {
    await call();
    return { kind: 'done' };
  } catch (error) {
    return readFailure(error);
  }
}

/** Throws Unavailable: another attempt may succeed. */
function readFailure(error: unknown): PlatformOutcome {
  if (error instanceof RateLimitError) {
    const waitMs = Math.max(error.timeToReset, error.retryAfter);
    return { kind: 'limited', retryAfterMs: error.retryAfter > 0 ? Math.min(waitMs, limitedMaxMs) : limitedMinMs };
  }
  if (error instanceof DiscordAPIError) {
    const known = refusals.get(error.code);
    if (known !== undefined) return known;
    // The token was changed or is wrong: a person must fix it, and everything waits.
    if (error.status === 401) throw callFailure(upstream, 'refused-by-upstream', { cause: error });
    if (error.status === 403) return lacksPermission;
    if (error.status < 500) return refused('other', `Discord refused it (code ${error.code}).`);
    throw callFailure(upstream, 'upstream-error', { cause: error });
  }
  if (error instanceof HTTPError) throw callFailure(upstream, 'upstream-error', { cause: error });
  const isTimeout = error instanceof Error && error.name === 'AbortError';
  throw callFailure(upstream, isTimeout ? 'timeout' : 'network', { cause: error });
}
