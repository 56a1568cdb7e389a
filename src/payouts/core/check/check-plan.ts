import { toDecimalText } from '../../../shared/money.ts';
import type { CheckedPlan } from './read-plan.ts';

/** How much of the plan's coin that is. */
export const inCoin = ({ coin }: Pick<CheckedPlan, 'coin'>, raw: bigint): string =>
  `${toDecimalText(raw, coin.decimals)} ${coin.symbol}`;

/** One sentence for each thing that does not add up (rulings R9); none: it does. */
export const planProblems = (plan: CheckedPlan): readonly string[] => [
  ...rockProblems(plan),
  ...addressProblems(plan),
  ...amountProblems(plan),
];

/** Each rock that there was is in one place: paid, or left out. */
function rockProblems({ lines, leftOut, snapshot }: CheckedPlan): readonly string[] {
  const numbers = [...lines, ...leftOut].flatMap(({ rocks }) => rocks);
  const counts = Map.groupBy(numbers, (number) => number);
  const unsorted = [...lines, ...leftOut].filter(({ rocks }) =>
    rocks.some((number, index) => index > 0 && number < (rocks[index - 1] ?? 0)),
  );
  return [
    ...[...counts].flatMap(([number, named]) =>
      named.length > 1 ? [`Rock ${number} is named ${named.length} times.`] : [],
    ),
    ...unsorted.map(({ address }) => `${address}: the rocks are not in the order of their numbers.`),
    ...(counts.size === snapshot.rocks
      ? []
      : [`At the snapshot there were ${snapshot.rocks} rocks, but the plan names ${counts.size}.`]),
  ];
}

/** Each address once, in one of the two lists; the treasury pays nothing to itself. */
function addressProblems({ lines, leftOut, treasury }: CheckedPlan): readonly string[] {
  const out = new Set(leftOut.map(({ address }) => address));
  const paid = Map.groupBy(lines, ({ address }) => address);
  const isSorted = (list: readonly { readonly address: string }[]): boolean =>
    list.every(({ address }, index) => index === 0 || address >= (list[index - 1]?.address ?? ''));
  return [
    ...[...paid].flatMap(([address, own]) => (own.length > 1 ? [`${address} has ${own.length} lines.`] : [])),
    ...[...paid.keys()].flatMap((address) => (out.has(address) ? [`${address} is both paid and left out.`] : [])),
    ...(out.size === leftOut.length ? [] : ['An address is left out twice.']),
    ...(paid.has(treasury) ? ['The treasury pays itself.'] : []),
    ...(isSorted(lines) && isSorted(leftOut) ? [] : ['The addresses are not in their order.']),
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
