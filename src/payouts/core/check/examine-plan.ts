import type { Transfer } from './check-payments.ts';
import { planProblems } from './check-plan.ts';
import { type CheckedPlan, readPlan } from './read-plan.ts';

export interface Evidence {
  /** The bytes of plan.json as text. */
  readonly file: string;
  /** The hash that was published; null: it is not known here. */
  readonly publishedSha256: string | null;
  /** As hexadecimal digits; null: it cannot be calculated here. Then the sums are checked alone. */
  readonly sha256: ((text: string) => Promise<string>) | null;
}

/** `problem`: it cannot be read. */
export type ExaminedPlan =
  | { readonly plan: CheckedPlan; readonly sha256: string | null; readonly problems: readonly string[] }
  | { readonly problem: string };

/** The plan itself: its form, its hash, its shares and sums. One sentence for each thing that is not right. */
export async function examinePlan({ file, publishedSha256, sha256 }: Evidence): Promise<ExaminedPlan> {
  const read = readPlan(file);
  if ('problem' in read) return read;
  const own = (await sha256?.(file)) ?? null;
  const isOther = own !== null && publishedSha256 !== null && own !== publishedSha256;
  return {
    plan: read.plan,
    sha256: own,
    problems: [
      ...(isOther ? [`The SHA-256 of the plan is ${own}, but ${publishedSha256} was published.`] : []),
      ...(read.isCanonical ? [] : ['The plan is not in canonical form, which the hash is made of.']),
      ...planProblems(read.plan),
    ],
  };
}

/** A line as a page lists it, with the payments beside it. */
export interface ListedLine {
  readonly address: string;
  readonly raw: string;
  readonly rocks: readonly number[];
}

/** Whether what is listed is what the plan has, line by line. */
export function listProblems({ lines }: CheckedPlan, listed: readonly ListedLine[]): readonly string[] {
  const byAddress = new Map(listed.map((line) => [line.address, line]));
  const differing = lines.filter(({ address, raw, rocks }) => {
    const shown = byAddress.get(address);
    return shown === undefined || shown.raw !== raw || shown.rocks.join() !== rocks.join();
  });
  const planned = new Set(lines.map(({ address }) => address));
  return [
    ...differing.map(({ address }) => `${address}: the line on this page differs from the plan.`),
    ...listed.flatMap(({ address }) =>
      planned.has(address) ? [] : [`${address} is listed, but the plan has no such line.`],
    ),
  ];
}

interface ListedPayment {
  readonly digest: string;
  readonly address: string;
  readonly raw: string;
  readonly at: string | null;
}

/** Payments as a page lists them, put together to the transactions that made them. A page lists none from before the snapshot. */
export function transfersOf({ coin, snapshot }: CheckedPlan, payments: readonly ListedPayment[]): readonly Transfer[] {
  const timeOf = ({ at }: ListedPayment): number => Date.parse(at ?? '') || 0;
  const inOrder = payments.toSorted((one, other) => timeOf(one) - timeOf(other));
  return [...Map.groupBy(inOrder, ({ digest }) => digest)].map(([digest, made]) => ({
    digest,
    checkpoint: BigInt(snapshot.checkpoint) + 1n,
    // Of one payout alone it makes no difference whether it was withdrawn by then.
    at: null,
    coinType: coin.type,
    // What the page lists is payments of this payout alone.
    isMixed: false,
    to: made.map(({ address, raw }) => ({ address, raw: BigInt(raw) })),
  }));
}
