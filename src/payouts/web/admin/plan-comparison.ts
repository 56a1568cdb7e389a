import { shortAddress } from '../../../shared/sui-address.ts';
import { amountText, type ShownCoin } from './amount-text.ts';
import type { Effects, PaidLine } from './transactions-calls.ts';

/**
 * What a transaction does otherwise than the published plan, a sentence each; none: each that it pays is a line of the plan, with the
 * amount and the rocks of that line, and once. Pure.
 */
export function differencesFromPlan(
  { received, leavesRaw }: Effects,
  plan: readonly PaidLine[],
  coin: ShownCoin,
): readonly string[] {
  const lineOf = new Map(plan.map((line) => [line.address, line]));
  const seen = new Set<string>();
  const differences = received.flatMap((paid) => {
    const line = lineOf.get(paid.address);
    const isAgain = seen.has(paid.address);
    seen.add(paid.address);
    const amount = amountText(paid.raw, coin);
    const who = shortAddress(paid.address);
    if (line === undefined) return [`${who} gets ${amount} and is not in the plan.`];
    if (isAgain) return [`${who} is paid a second time, ${amount}.`];
    if (line.raw !== paid.raw) return [`${who} gets ${amount}; the plan says ${amountText(line.raw, coin)}.`];
    if (line.rocks.join() !== paid.rocks.join()) return [`${who} is paid for other rocks than the plan says.`];
    return [];
  });
  const sum = String(received.reduce((total, paid) => total + BigInt(paid.raw), 0n));
  return sum === leavesRaw
    ? differences
    : [...differences, `${amountText(leavesRaw, coin)} leaves the treasury; those paid get ${amountText(sum, coin)}.`];
}
