import { REST, type RESTOptions } from 'discord.js';

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
export const waitsAtMost =
  (longestMs: number): RESTOptions['rejectOnRateLimit'] =>
  ({ timeToReset, retryAfter }) =>
    !(retryAfter > 0 && Math.max(timeToReset, retryAfter) <= longestMs);

/** Discord's message flag that suppresses link previews. */
const suppressEmbeds = 4;

/** Get it anew for each call. */
export type RestClient = () => REST;

/** Discord's REST API, one attempt per call. One client for all calls of a copy: its limits are learned once. */
export function createRestClient({ token, apiUrl }: RestOptions): RestClient {
  const rest = new REST({
    api: apiUrl,
    version: '10',
    timeout: timeoutMs,
    retries: 0,
    rejectOnRateLimit: waitsAtMost(longestWaitMs),
  });
  // discord.js drops the token at the first 401, even if that is Discord's mistake.
  return () => rest.setToken(token);
}

/** A message body without pings and link previews. Sent again within some minutes, one with a nonce makes no second message. */
export const plainMessage = (content: string, nonce?: string) =>
  ({
    content,
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
    ...(nonce !== undefined && { nonce, enforce_nonce: true }),
  }) as const;
