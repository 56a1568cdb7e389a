/** So many requests in a sliding window, counted over all callers (there is one address: loopback). */
export type RateLimit = { requests: number; perMs: number };

/** Gives the seconds to wait, or null when the request may pass. */
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
