import { REST, type RESTOptions } from 'discord.js';

export interface RestOptions {
  readonly token: string;
  /** DISCORD_API_URL: without version and trailing slash. */
  readonly apiUrl: string;
}

const timeoutMs = 10_000;
/** A shorter wait for a bucket is spent inside the call; a longer one is given back: RateLimitError. */
const longestWaitMs = 3_000;

/**
 * discord.js obeys a limit for however long it names, and one that names no time, or none that can be read or fits a timer, again and
 * again without a pause: those are given back as RateLimitError.
 */
export const waitsAtMost =
  (longestMs: number): RESTOptions['rejectOnRateLimit'] =>
  ({ timeToReset, retryAfter }) =>
    !(retryAfter > 0 && Math.max(timeToReset, retryAfter) <= longestMs);

/** Discord's flag of a message without previews of links. */
const suppressEmbeds = 4;

/** Discord's REST, one try a call; it keeps the buckets of its answers. The client is asked for anew for each call. */
export function createRestClient({ token, apiUrl }: RestOptions): () => REST {
  const rest = new REST({
    api: apiUrl,
    version: '10',
    timeout: timeoutMs,
    retries: 0,
    rejectOnRateLimit: waitsAtMost(longestWaitMs),
  });
  // discord.js forgets the token when Discord answers 401 once, also by a mistake of its own.
  return () => rest.setToken(token);
}

/** The body of a message that pings nobody and shows no previews. */
export const plainMessage = (content: string) =>
  ({ content, allowed_mentions: { parse: [] }, flags: suppressEmbeds }) as const;
