/** A visitor's clock this near to the server's is right: an answer's way and the whole seconds of `Date` make up less. */
const rightWithinMs = 60_000;

/** `Date` is cut to whole seconds: taken as their end, nothing looks fresher, or lasts longer, than it does. */
const cutByMs = 1_000;

let serverAheadMs = 0;

/** Learns from an answer's `Date` how far the visitor's clock is off; an answer that a proxy has kept carries its `Age` in seconds. */
export function learnServerTime(headers: Headers, nowMs: number): void {
  const sentAtMs = Date.parse(headers.get('date') ?? '');
  const aheadMs = sentAtMs + cutByMs + Number(headers.get('age') ?? 0) * 1000 - nowMs;
  if (Number.isNaN(aheadMs)) return;
  serverAheadMs = Math.abs(aheadMs) < rightWithinMs ? 0 : aheadMs;
}

/** Milliseconds since 1970 as the server counts them, at the visitor's time `nowMs`: all times that are shown are the server's. */
export const serverTimeMs = (nowMs: number): number => nowMs + serverAheadMs;
