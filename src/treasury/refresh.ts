import { Unavailable } from '../shared/failure.ts';
import { confirmsJump, judgeJump } from './core/jump-check.ts';
import type { TreasuryReading } from './core/reading.ts';
import { valueTreasury } from './core/valuation.ts';
import type { ValuationSettings } from './core/valuation-settings.ts';
import { readTreasury } from './read-treasury.ts';
import type { ReadContext } from './read-treasury.ts';

/** What came of one refresh. Only `published` changes what visitors see. */
export type RefreshOutcome =
  | { readonly kind: 'published'; readonly reading: TreasuryReading }
  | { readonly kind: 'held'; readonly lastMicroUsd: bigint; readonly nextMicroUsd: bigint | null }
  | { readonly kind: 'failed'; readonly reason: string; readonly cause: string };

/**
 * One refresh with the jump check of rulings R3: a total that moved by more than 50 % is read a second time at once. When both
 * reads agree it is published and flagged; otherwise the last good one stays and the next refresh tries again.
 */
export async function refreshTreasury(
  last: TreasuryReading | null,
  context: ReadContext,
  settings: ValuationSettings,
  stop: AbortSignal,
): Promise<RefreshOutcome> {
  const totalOf = (reading: TreasuryReading): bigint | null =>
    valueTreasury(reading, settings, context.clock.now()).totals.totalMicroUsd;
  try {
    const first = await readTreasury(last, context, stop);
    const lastMicroUsd = last === null ? null : totalOf(last);
    const firstMicroUsd = totalOf(first);
    const verdict = judgeJump(lastMicroUsd, firstMicroUsd);
    if (verdict === 'publish' || lastMicroUsd === null) return { kind: 'published', reading: first };
    const held: RefreshOutcome = { kind: 'held', lastMicroUsd, nextMicroUsd: firstMicroUsd };
    if (verdict === 'hold' || firstMicroUsd === null) return held;
    stop.throwIfAborted();
    const second = await readTreasury(last, context, stop);
    const secondMicroUsd = totalOf(second);
    if (secondMicroUsd === null || !confirmsJump(firstMicroUsd, secondMicroUsd)) return held;
    const jump = { previousMicroUsd: lastMicroUsd, nextMicroUsd: secondMicroUsd, confirmedAt: context.clock.now() };
    return { kind: 'published', reading: { ...second, jump } };
  } catch (error) {
    if (error instanceof Unavailable) return { kind: 'failed', reason: error.reason, cause: causesOf(error) };
    throw error;
  }
}

/** Says which upstream it was, and behind an open breaker what opened it; never the other side's own text. */
function causesOf(error: Unavailable): string {
  const { cause } = error;
  return cause instanceof Unavailable ? `${error.message}: ${causesOf(cause)}` : error.message;
}
