/** The maximum number of requests in a sliding window, over all callers (all have the loopback address). */
export type RateLimit = { requests: number; perMs: number };

/** Returns a check for each request: null when it may pass, otherwise the seconds to wait. */
export function createRateLimiter(limit: RateLimit, now: () => number): () => number | null {
  let passed: number[] = [];
  return () => {
    const atMs = now();
    passed = passed.filter((earlier) => earlier > atMs - limit.perMs);
    const oldest = passed[0];
    if (oldest !== undefined && passed.length >= limit.requests) {
      return Math.max(1, Math.ceil((oldest + limit.perMs - atMs) / 1000));
    }
    passed.push(atMs);
    return null;
  };
}
