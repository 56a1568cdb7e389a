import * as z from 'zod/mini';
import { toDecimalText } from '../../../shared/money.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';

/**
 * Checks a published plan. Except for the canonical form, this folder shares no code with what makes plans or reconciles them with the
 * chain (rulings R9).
 */

const digits = z.string().check(z.regex(/^(?:0|[1-9]\d{0,77})$/));
const address = z.string().check(z.regex(/^0x[0-9a-f]{64}$/));
const rocks = z.array(z.int().check(z.positive()));
const line = z.object({ address, raw: digits, rocks });
export type PlanLine = z.infer<typeof line>;

const plan = z.object({
  version: z.literal(1),
  payout: z.int().check(z.positive()),
  network: z.string(),
  chainId: z.nullable(z.string()),
  treasury: address,
  title: z.string(),
  coin: z.object({ type: z.string(), symbol: z.string(), decimals: z.int().check(z.minimum(0), z.maximum(255)) }),
  amount: z.object({ mode: z.enum(['total', 'per-rock']), raw: digits }),
  snapshot: z.object({ checkpoint: digits, at: z.string(), rocks: z.int() }),
  // Without an address: rocks whose owner was not known.
  leftOut: z.array(z.object({ address: z.nullable(address), reason: z.string(), rocks })),
  shareRaw: digits,
  totalRaw: digits,
  remainderRaw: digits,
  lines: z.array(line),
});
/** The parts that are recalculated; the hash covers all of it. */
export type CheckedPlan = z.infer<typeof plan>;

type ReadPlan = { readonly plan: CheckedPlan; readonly isCanonical: boolean } | { readonly problem: string };

export function readPlan(file: string): ReadPlan {
  try {
    const value: unknown = JSON.parse(file);
    const read = plan.safeParse(value);
    if (read.success) return { plan: read.data, isCanonical: canonicalJson(value) === file };
    const place = read.error.issues[0]?.path.join('.') ?? '';
    return {
      problem: `This is not the plan of a payout${place === '' ? '' : `: ${place} is missing or not valid`}.`,
    };
  } catch {
    return { problem: 'This is not the plan of a payout: it cannot be read as JSON without fractions.' };
  }
}

/** An amount in the plan's coin. */
export const inCoin = ({ coin }: Pick<CheckedPlan, 'coin'>, raw: bigint): string =>
  `${toDecimalText(raw, coin.decimals)} ${coin.symbol}`;

/** `Map.groupBy`, which some browsers that can check a payout do not have yet. */
export function groupedBy<Key, Of>(all: readonly Of[], keyOf: (of: Of) => Key): ReadonlyMap<Key, readonly Of[]> {
  const groups = new Map<Key, Of[]>();
  for (const of of all) {
    const key = keyOf(of);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [of]);
    else group.push(of);
  }
  return groups;
}

/** Each rock of the snapshot must be named once: paid, or left out. */
function rockProblems({ lines, leftOut, snapshot }: CheckedPlan): readonly string[] {
  const numbers = [...lines, ...leftOut].flatMap(({ rocks }) => rocks);
  const counts = groupedBy(numbers, (number) => number);
  const unsorted = [...lines, ...leftOut].filter(({ rocks }) =>
    rocks.some((number, index) => index > 0 && number < (rocks[index - 1] ?? 0)),
  );
  return [
    ...[...counts].flatMap(([number, named]) =>
      named.length > 1 ? [`Rock ${number} is named ${named.length} times.`] : [],
    ),
    ...unsorted.map(
      ({ address }) => `${address ?? 'Without a known owner'}: the rocks are not in the order of their numbers.`,
    ),
    ...(counts.size === snapshot.rocks
      ? []
      : [`At the snapshot there were ${snapshot.rocks} rocks, but the plan names ${counts.size}.`]),
  ];
}

/** Each address must be in one of the two lists, once; the treasury pays nothing to itself. */
function addressProblems({ lines, leftOut, treasury }: CheckedPlan): readonly string[] {
  const leftOutAddresses = leftOut.flatMap(({ address }) => address ?? []);
  const out = new Set(leftOutAddresses);
  const paid = groupedBy(lines, ({ address }) => address);
  const isSorted = (addresses: readonly string[]): boolean =>
    addresses.every((address, index) => index === 0 || address >= (addresses[index - 1] ?? ''));
  return [
    ...[...paid].flatMap(([address, own]) => (own.length > 1 ? [`${address} has ${own.length} lines.`] : [])),
    ...[...paid.keys()].flatMap((address) => (out.has(address) ? [`${address} is both paid and left out.`] : [])),
    ...(out.size === leftOutAddresses.length ? [] : ['An address is left out twice.']),
    ...(paid.has(treasury) ? ['The treasury pays itself.'] : []),
    ...(isSorted(lines.map(({ address }) => address)) && isSorted(leftOutAddresses)
      ? []
      : ['The addresses are not sorted.']),
  ];
}

function amountProblems(plan: CheckedPlan): readonly string[] {
  const { lines, amount, shareRaw, totalRaw, remainderRaw } = plan;
  const rocks = BigInt(lines.reduce((count, line) => count + line.rocks.length, 0));
  if (rocks === 0n) return ['Nobody is paid.'];
  const isTotal = amount.mode === 'total';
  const share = isTotal ? BigInt(amount.raw) / rocks : BigInt(amount.raw);
  const sum = lines.reduce((all, { raw }) => all + BigInt(raw), 0n);
  const remainder = isTotal ? BigInt(amount.raw) - sum : 0n;
  const differs = (what: string, stated: string, is: bigint): readonly string[] =>
    BigInt(stated) === is ? [] : [`${what} is ${inCoin(plan, is)}, but the plan says ${inCoin(plan, BigInt(stated))}.`];
  return [
    ...(share > 0n ? [] : ['A rock gets nothing.']),
    ...differs(
      isTotal ? `The amount divided by ${rocks} rocks, rounded down,` : 'The amount per rock',
      shareRaw,
      share,
    ),
    ...lines.flatMap((line) =>
      differs(`${line.address}: the share times ${line.rocks.length}`, line.raw, share * BigInt(line.rocks.length)),
    ),
    ...differs('The sum of the lines', totalRaw, sum),
    ...differs('What is left of the amount', remainderRaw, remainder),
  ];
}

interface Evidence {
  /** The bytes of plan.json as text. */
  readonly file: string;
  /** The hash that was published; null: it is not known here. */
  readonly publishedSha256: string | null;
  /** Returns hexadecimal digits; null: it cannot be calculated here, and only the sums are checked. */
  readonly sha256: ((text: string) => Promise<string>) | null;
}

type ExaminedPlan =
  | { readonly plan: CheckedPlan; readonly sha256: string | null; readonly problems: readonly string[] }
  | { readonly problem: string };

/** Checks the plan itself: its form, hash, shares and sums (rulings R9). One sentence for each problem. */
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
      ...rockProblems(read.plan),
      ...addressProblems(read.plan),
      ...amountProblems(read.plan),
    ],
  };
}

/** Compares the lines that a page lists with those of the plan. */
export function listProblems({ lines }: CheckedPlan, listed: readonly PlanLine[]): readonly string[] {
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
