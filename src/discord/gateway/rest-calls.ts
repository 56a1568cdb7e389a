import { DiscordAPIError, HTTPError, RateLimitError, Routes, REST, type RESTOptions } from 'discord.js';
import { z } from 'zod';
import { callFailure } from '../../sources/bounded-fetch.ts';
import type { PlatformOutcome, ReadGuildMembers, RolePlatform, SendToChannel } from '../ports.ts';
import { displayNameOf, memberPayload } from './member-events.ts';

export interface RestOptions {
  readonly token: string;
  /** DISCORD_API_URL: without version and trailing slash. */
  readonly apiUrl: string;
}

const timeoutMs = 10_000;
/** Shorter waits for a bucket happen inside the call; longer ones throw RateLimitError. */
const longestWaitMs = 3_000;

/**
 * discord.js waits as long as a limit says, and retries without a pause if the time is missing, unreadable or too long for a timer:
 * those throw RateLimitError instead.
 */
export const rejectWaitsOver =
  (longestMs: number): RESTOptions['rejectOnRateLimit'] =>
  ({ timeToReset, retryAfter }) =>
    !(retryAfter > 0 && Math.max(timeToReset, retryAfter) <= longestMs);

const suppressEmbeds = 4;

/** Call it again for each request. */
export type RestClient = () => REST;

/** Discord's REST API, one attempt per call. One client for all calls of a copy, so that rate limits are learned once. */
export function createRestClient({ token, apiUrl }: RestOptions): RestClient {
  const rest = new REST({
    api: apiUrl,
    version: '10',
    timeout: timeoutMs,
    retries: 0,
    rejectOnRateLimit: rejectWaitsOver(longestWaitMs),
  });
  // discord.js drops the token at the first 401, even if that is Discord's mistake.
  return () => rest.setToken(token);
}

/** A message body without pings and link previews. With a nonce, sending it again within some minutes posts no second message. */
const plainMessage = (content: string, nonce?: string) =>
  ({
    content,
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
    ...(nonce !== undefined && { nonce, enforce_nonce: true }),
  }) as const;

const upstream = 'Discord';
/** Used when Discord gives no readable time. */
const limitedMinMs = 1_000;
/** Far beyond what Discord asks for; a longer wait is a mistake and does not fit a database time. */
const limitedMaxMs = 7 * 24 * 3_600_000;

type Refusal = Extract<PlatformOutcome, { readonly kind: 'refused' }>;
const refused = (code: Refusal['code'], sentence: string): Refusal => ({ kind: 'refused', code, sentence });

const lacksPermission = refused(
  'missing-permission',
  'Discord does not let the bot change this role. In Server Settings > Roles give the bot\'s role "Manage Roles" and drag it above the role it gives.',
);
const lacksSecondFactor = refused(
  'missing-permission',
  'Discord asks for two-factor authentication in this server: the owner of the bot must switch it on for their Discord account.',
);
const closedMessages = refused('direct-messages-closed', 'The member does not accept direct messages.');

/** Codes from Discord's documentation (Opcodes and Status Codes, JSON error codes). */
const refusals: ReadonlyMap<number | string, Refusal> = new Map([
  [50013, lacksPermission],
  [50001, lacksPermission],
  [60003, lacksSecondFactor],
  [10011, refused('unknown-role', 'The role is gone. Choose another one with /setup.')],
  [10007, refused('unknown-member', 'The member has left the server.')],
  [10013, refused('unknown-member', 'Discord does not know this user any more.')],
  [10004, refused('unknown-guild', 'The bot is no longer in this server. Invite it again.')],
  [50007, closedMessages],
  [50278, closedMessages],
]);

/** Limits from the same documentation that Discord does not answer with 429: how long to send nothing. */
const limits: ReadonlyMap<number | string, number> = new Map([
  // 'You are opening direct messages too fast'.
  [40003, 10 * 60_000],
  // Quarantined for looking like spam: Discord lifts it when its owner appeals.
  [20026, 3_600_000],
]);

/** From the same documentation: a part of Discord is switched off or overloaded, or Cloudflare blocks the request. */
const passing: ReadonlySet<number | string> = new Set([40004, 40006, 130000, 40333]);

/** Another attempt may succeed. Without a code of Discord's, the refusal comes from something between us and Discord. */
const isPassing = ({ code }: DiscordAPIError): boolean => typeof code !== 'number' || passing.has(code);

/**
 * Discord's REST for the role engine; explains refusals in our words. `checkBot` throws when the token belongs to another bot: Discord
 * would refuse it everything in servers it is not in, which says nothing about roles and members.
 */
export function createRolePlatform(rest: RestClient, checkBot: () => Promise<unknown>): RolePlatform {
  const outcomeOf = async (call: () => Promise<unknown>): Promise<PlatformOutcome> => {
    await checkBot();
    return call().then(() => ({ kind: 'done' }), readRefusal);
  };
  return {
    grantRole: ({ guildId, userId, roleId }, reason, stop?: AbortSignal) =>
      outcomeOf(() => rest().put(Routes.guildMemberRole(guildId, userId, roleId), { reason, ...until(stop) })),
    removeRole: ({ guildId, userId, roleId }, reason, stop?: AbortSignal) =>
      outcomeOf(() => rest().delete(Routes.guildMemberRole(guildId, userId, roleId), { reason, ...until(stop) })),
    sendDirectMessage: (userId, content, stop?: AbortSignal, nonce?: string) =>
      outcomeOf(async () => {
        const channel = await rest().post(Routes.userChannels(), {
          body: { recipient_id: userId },
          ...until(stop),
        });
        const body = plainMessage(content, nonce);
        await rest().post(Routes.channelMessages(channelId(channel)), { body, ...until(stop) });
      }),
  };
}

const until = (stop: AbortSignal | undefined) => (stop === undefined ? {} : { signal: stop });

function channelId(channel: unknown): string {
  const id = typeof channel === 'object' && channel !== null && 'id' in channel ? channel.id : null;
  if (typeof id === 'string' && /^\d{5,20}$/.test(id)) return id;
  throw callFailure(upstream, 'malformed-answer');
}

/** Throws Unavailable: another attempt may succeed. */
function readRefusal(error: unknown): PlatformOutcome {
  if (error instanceof RateLimitError) {
    const waitMs = Math.max(error.timeToReset, error.retryAfter);
    return { kind: 'limited', retryAfterMs: error.retryAfter > 0 ? Math.min(waitMs, limitedMaxMs) : limitedMinMs };
  }
  if (error instanceof DiscordAPIError) {
    const known = refusals.get(error.code);
    if (known !== undefined) return known;
    const retryAfterMs = limits.get(error.code);
    if (retryAfterMs !== undefined) return { kind: 'limited', retryAfterMs };
    // The token was changed or is wrong: everything waits until a person fixes it.
    if (error.status === 401) throw callFailure(upstream, 'refused-by-upstream', { cause: error });
    if (isPassing(error)) throw callFailure(upstream, 'upstream-error', { cause: error });
    return refused('other', `Discord refused it (code ${error.code}).`);
  }
  if (error instanceof HTTPError) throw callFailure(upstream, 'upstream-error', { cause: error });
  const isTimeout = error instanceof Error && error.name === 'AbortError';
  throw callFailure(upstream, isTimeout ? 'timeout' : 'network', { cause: error });
}

const lacksChannel =
  "The bot may not post in this channel. In its settings → Permissions, allow the bot's role to View Channel and Send Messages.";
const channelRefusals: ReadonlyMap<number | string, string> = new Map([
  [50013, lacksChannel],
  [50001, lacksChannel],
  [10003, 'The channel was deleted.'],
  // ALARM_CHAT may name any channel.
  [40058, 'This is a forum: choose a text channel, or a thread of the forum.'],
  [50083, 'This thread is closed: reopen it.'],
  [160005, 'This thread is closed: reopen it.'],
]);

/** No connection was made, so no message was sent. */
const neverLeft = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export const createChannelSender =
  (rest: RestClient): SendToChannel =>
  async (channelId, content, nonce) => {
    try {
      await rest().post(Routes.channelMessages(channelId), { body: plainMessage(content, nonce) });
      return { kind: 'sent' };
    } catch (error) {
      return readSendFailure(error);
    }
  };

function readSendFailure(error: unknown): Awaited<ReturnType<SendToChannel>> {
  if (error instanceof RateLimitError) return { kind: 'not-now', reason: 'Discord asks the bot to slow down.' };
  // Not this channel's fault, and it works again once the token is corrected, as for roles above.
  if (error instanceof DiscordAPIError && error.status === 401) {
    return { kind: 'not-now', reason: 'Discord refuses the token of the bot right now.' };
  }
  if (error instanceof HTTPError || (error instanceof DiscordAPIError && isPassing(error))) {
    return { kind: 'not-now', reason: 'Discord reports an internal error.' };
  }
  if (error instanceof DiscordAPIError) {
    return { kind: 'refused', reason: channelRefusals.get(error.code) ?? `Discord refused it (code ${error.code}).` };
  }
  const { code, cause } = (error instanceof Error ? error : {}) as {
    readonly code?: unknown;
    readonly cause?: unknown;
  };
  const causeCode = (cause instanceof Error ? cause : {}) as { readonly code?: unknown };
  if (neverLeft.has(String(code)) || neverLeft.has(String(causeCode.code))) {
    return { kind: 'not-now', reason: 'Discord could not be reached.' };
  }
  throw callFailure(upstream, 'network', { cause: error });
}

/** Discord's maximum (documentation, resources/guild, 'List Guild Members'); needs the intent for members, as the gateway does. */
const pageSize = 1_000;
const page = z.array(memberPayload.omit({ guild_id: true }));

export function createMemberList(rest: RestClient): ReadGuildMembers {
  return async (guildId, after) => {
    const query = new URLSearchParams({ limit: String(pageSize), after: after ?? '0' });
    const answer = await rest()
      .get(Routes.guildMembers(guildId), { query })
      .catch((error: unknown) => {
        throw callFailure(upstream, 'upstream-error', { cause: error });
      });
    const read = page.safeParse(answer);
    if (!read.success) throw callFailure(upstream, 'malformed-answer');
    const members = read.data.map((member) => ({
      userId: member.user.id,
      displayName: displayNameOf(member),
      isBot: member.user.bot === true,
      roleIds: member.roles,
    }));
    return { members, after: members.length < pageSize ? null : (members.at(-1)?.userId ?? null) };
  };
}
