import { toDecimalText } from '../../shared/money.ts';
import { shortAddress } from '../../shared/sui-address.ts';

/** Rulings R9: a copy of a transaction is compared with the one that was built, before anybody signs it. Pure. */

interface Payments {
  readonly sender: string;
  readonly gasPayer: string;
  readonly budgetMist: bigint;
  readonly gasPriceMist: bigint;
  readonly expiresEpoch: bigint | null;
  readonly objects: readonly string[];
  readonly payments: readonly { readonly address: string; readonly raw: bigint }[];
  readonly oddities: readonly string[];
}

const sentencesMax = 20;

/** What the copy does otherwise, as sentences; never none, as it is asked for copies with other bytes. */
export function differencesOf(
  built: Payments,
  copy: Payments | null,
  coin: { readonly symbol: string; readonly decimals: number },
): readonly string[] {
  if (copy === null) return ['These are not the bytes of a transaction, or they are cut off.'];
  const all = [
    ...(copy.sender === built.sender ? [] : [`It is sent by ${copy.sender}, not by the treasury.`]),
    ...(copy.gasPayer === built.gasPayer ? [] : [`Its gas is paid by ${copy.gasPayer}, not by the treasury.`]),
    ...copy.oddities,
    ...paymentDifferences(built, copy, coin),
    ...(copy.budgetMist === built.budgetMist
      ? []
      : [`Its gas may cost up to ${sui(copy.budgetMist)}, not ${sui(built.budgetMist)}.`]),
    ...(copy.gasPriceMist === built.gasPriceMist ? [] : ['It has a different gas price.']),
    ...(copy.expiresEpoch === built.expiresEpoch ? [] : [expirySentence(copy.expiresEpoch, built.expiresEpoch)]),
    ...(copy.objects.join() === built.objects.join()
      ? []
      : ['It spends different coin objects, or different versions of them.']),
  ];
  if (all.length === 0) return ['It pays the same, but its bytes differ.'];
  if (all.length <= sentencesMax) return all;
  return [...all.slice(0, sentencesMax - 1), `And ${all.length - sentencesMax + 1} more differences.`];
}

const sui = (mist: bigint): string => `${toDecimalText(mist, 9)} SUI`;

const expirySentence = (copy: bigint | null, built: bigint | null): string =>
  copy === null ? 'It never expires.' : `It expires after epoch ${copy}, not ${built}.`;

function paymentDifferences(
  built: Payments,
  copy: Payments,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): readonly string[] {
  const text = (raw: bigint): string => `${toDecimalText(raw, decimals)} ${symbol}`;
  const [meant, found] = [sums(built.payments), sums(copy.payments)];
  const paid = [...found].flatMap(([address, raw]) => {
    const planned = meant.get(address);
    if (planned === raw) return [];
    if (planned === undefined) return [`It pays ${text(raw)} to ${address}, who gets nothing in the plan.`];
    return [`It pays ${shortAddress(address)} ${text(raw)} instead of ${text(planned)}.`];
  });
  const missing = [...meant].flatMap(([address, raw]) =>
    found.has(address) ? [] : [`It does not pay ${text(raw)} to ${address}.`],
  );
  return [...paid, ...missing];
}

function sums(payments: Payments['payments']): ReadonlyMap<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { address, raw } of payments) all.set(address, (all.get(address) ?? 0n) + raw);
  return all;
}
