import * as z from 'zod/mini';

import { canonicalJson } from '../../shared/canonical-json.ts';

/**
 * Checks a statement against itself, the one before it and the published hashes. Recalculates everything: it shares no code with the
 * maker of statements, except the canonical form and the names of the fields (docs/decisions/0037). Amounts are base units, prices 1e-12 USD, values 1e-6 USD.
 */

const whole = z.string().check(z.regex(/^(?:0|-?[1-9]\d{0,99})$/));
const sha256Digits = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const text = z.nullable(z.string());
const listOf = <Row extends z.ZodMiniType>(row: Row) => z.readonly(z.array(row));

/** All three or none. */
const knownPrice = { pricePicoUsd: z.nullable(whole), priceAt: text, priceSource: text };

/** Opening + unsolicited + in - out = closing. */
const coin = z.object({
  coinType: z.string(),
  symbol: text,
  decimals: z.nullable(z.int()),
  openingRaw: whole,
  /** Unsolicited amounts, which count once the coin is known: all so far in its first statement, later those of the month. */
  unaskedRaw: whole,
  inRaw: whole,
  outRaw: whole,
  closingRaw: whole,
  ...knownPrice,
  valueMicroUsd: z.nullable(whole),
});

/** A transaction; `changes` have the price of its time, and include the gas. */
const entry = z.object({
  digest: z.string(),
  at: z.string(),
  checkpoint: whole,
  kind: z.string(),
  counterparty: text,
  gasMist: whole,
  changes: listOf(z.object({ coinType: z.string(), raw: whole, ...knownPrice })),
  nfts: listOf(z.object({ objectId: z.string(), collectionType: z.string(), direction: z.string() })),
});

/** The published statement of the treasury for one month (UTC), as its maker writes it too. null: unknown. */
const statement = z.object({
  version: z.literal(1),
  /** Version of the rules that make entries (ledger-rules.ts) and choose prices: other rules, another number. */
  rulesVersion: z.int(),
  network: z.string(),
  /** `2026-10` */
  month: z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)),
  treasuryAddress: z.string(),
  /** SHA-256 of the statement of the month before; null: this is the first one. */
  previousSha256: z.nullable(sha256Digits),
  /** Sorted by type: every coin of the statement before, and every coin that moved. */
  coins: listOf(coin),
  /** Oldest first. */
  entries: listOf(entry),
  /** Number of unsolicited transactions. The ledger lists them separately; a statement does not list them. */
  unaskedTransactions: z.int(),
  /** `closingMicroUsd`: sum of the coins that have a value; `unpricedCoins`: how many held coins have none. */
  totals: z.object({ closingMicroUsd: whole, unpricedCoins: z.int(), gasMist: whole }),
});

export type Statement = z.infer<typeof statement>;
type Coin = Statement['coins'][number];

/** A statement read from a file. */
export type ReadStatement =
  { readonly statement: Statement; readonly isCanonical: boolean } | { readonly problem: string };

export function readStatement(file: string): ReadStatement {
  try {
    const value: unknown = JSON.parse(file);
    const read = statement.safeParse(value);
    if (read.success) return { statement: read.data, isCanonical: canonicalJson(value) === file };
    const place = read.error.issues[0]?.path.join('.') ?? '';
    return {
      problem: `This is not a statement${place === '' ? '' : `: ${place} is missing or not valid`}.`,
    };
  } catch {
    return { problem: 'This is not a statement: it is not JSON, or it contains fractions.' };
  }
}

export interface Evidence {
  /** The bytes of the file as text. */
  readonly file: string;
  /** The hash that the server publishes for the month; null: it has no statement for that month. */
  readonly publishedSha256: string | null;
  /** The file of the statement of the month before; null: the server has none. */
  readonly before: string | null;
  /** Returns hexadecimal digits; null: not available in this browser, so only the sums are checked. */
  readonly sha256: ((text: string) => Promise<string>) | null;
}

const otherBytes = 'It is not the published file byte for byte: a name is in it twice, or it is laid out differently.';

/** One sentence for each problem; empty: everything adds up. */
export async function checkStatement({ file, publishedSha256, before, sha256 }: Evidence): Promise<readonly string[]> {
  const read = readStatement(file);
  if ('problem' in read) return [read.problem];
  const earlier = before === null ? null : readStatement(before);
  if (earlier !== null && 'problem' in earlier) return [`The statement of the month before: ${earlier.problem}`];
  const hashes = {
    own: (await sha256?.(file)) ?? null,
    before: before === null ? null : ((await sha256?.(before)) ?? null),
  };
  return [
    ...hashProblems(read.statement, hashes.own, publishedSha256),
    // Otherwise a reader may see an amount that was not added up: of two equal names, JSON.parse keeps only the last.
    ...(read.isCanonical ? [] : [otherBytes]),
    ...chainProblems(read.statement, earlier?.statement ?? null, hashes.before),
    ...entryProblems(read.statement),
    ...read.statement.coins.flatMap((each) => coinProblems(each, read.statement, earlier?.statement ?? null)),
    ...totalProblems(read.statement),
  ];
}

function hashProblems({ month }: Statement, own: string | null, published: string | null): readonly string[] {
  if (published === null) return [`No statement for ${month} is published.`];
  return own === null || own === published ? [] : ['The SHA-256 is not the one that was published.'];
}

function chainProblems(now: Statement, before: Statement | null, sha256Before: string | null): readonly string[] {
  const { previousSha256, coins } = now;
  if (before === null) {
    return previousSha256 === null ? [] : ['It refers to a statement of the month before, but none is published.'];
  }
  const listed = new Set(coins.map(({ coinType }) => coinType));
  const lost = before.coins.filter(({ coinType, closingRaw }) => closingRaw !== '0' && !listed.has(coinType));
  return [
    ...(monthsOf(now) === monthsOf(before) + 1 ? [] : [`It does not follow the statement for ${before.month}.`]),
    ...(previousSha256 === null || (sha256Before !== null && previousSha256 !== sha256Before)
      ? [`It does not name the SHA-256 of the statement for ${before.month}.`]
      : []),
    ...lost.map(
      (each) => `${nameOf(each)}: the closing balance of ${before.month}, ${each.closingRaw} base units, is left out.`,
    ),
  ];
}

/** In the format of every time in a statement, so that they compare as texts. */
const endOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString();

const monthsOf = ({ month }: Statement): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));

function entryProblems({ month, entries, coins }: Statement): readonly string[] {
  const listed = new Set(coins.map(({ coinType }) => coinType));
  const digests = new Set<string>();
  return entries.flatMap(({ digest, at, changes }) => {
    const isTwice = digests.has(digest);
    digests.add(digest);
    const unknown = changes.filter(({ coinType }) => !listed.has(coinType));
    return [
      ...(isTwice ? [`The transaction ${digest} is listed twice.`] : []),
      ...(at.startsWith(`${month}-`) ? [] : [`The transaction ${digest} is from another month: ${at}.`]),
      ...unknown.map(({ coinType }) => `The transaction ${digest} moves a coin without a sum: ${coinType}.`),
    ];
  });
}

function coinProblems(
  each: Coin,
  { rulesVersion, month, entries, coins }: Statement,
  before: Statement | null,
): readonly string[] {
  const isTwice = coins.find(({ coinType }) => coinType === each.coinType) !== each;
  const earlier = before?.coins.find(({ coinType }) => coinType === each.coinType);
  const raws = entries.flatMap(({ changes }) =>
    changes.filter(({ coinType }) => coinType === each.coinType).map(({ raw }) => BigInt(raw)),
  );
  const cameIn = sumOf(raws.map((raw) => (raw > 0n ? raw : 0n)));
  const wentOut = sumOf(raws.map((raw) => (raw < 0n ? -raw : 0n)));
  const closing = BigInt(each.openingRaw) + BigInt(each.unaskedRaw) + cameIn - wentOut;
  const hasPrice = each.pricePicoUsd !== null && each.priceAt !== null && each.priceSource !== null;
  const value = valueOf(each);
  return [
    ...(isTwice ? [`${nameOf(each)} is listed twice.`] : []),
    ...(BigInt(each.unaskedRaw) < 0n ? [`${nameOf(each)}: the unsolicited amount is negative.`] : []),
    ...differs(each, 'the opening balance', each.openingRaw, earlier?.closingRaw ?? '0'),
    ...differs(each, 'what came in', each.inRaw, cameIn),
    ...differs(each, 'what went out', each.outRaw, wentOut),
    ...differs(each, 'the closing balance', each.closingRaw, closing),
    ...(hasPrice || each.pricePicoUsd === null ? [] : [`${nameOf(each)}: the price has no time or no source.`]),
    ...(rulesVersion < 2 || (each.priceAt ?? '') <= endOf(month)
      ? []
      : [`${nameOf(each)}: the price is from after the end of the month.`]),
    ...differs(each, 'the value', each.valueMicroUsd, value, 'millionths of a USD'),
  ];
}

/** Closing × price, rounded half up to a millionth of a USD; null: the price or the decimals are unknown. */
function valueOf({ closingRaw, pricePicoUsd, decimals }: Coin): bigint | null {
  if (pricePicoUsd === null || decimals === null || decimals < 0 || decimals > 24) return null;
  const unit = 10n ** BigInt(decimals + 6);
  return (BigInt(closingRaw) * BigInt(pricePicoUsd) + unit / 2n) / unit;
}

function totalProblems({ coins, entries, totals }: Statement): readonly string[] {
  const value = sumOf(coins.map(({ valueMicroUsd }) => BigInt(valueMicroUsd ?? 0)));
  const unpriced = coins.filter(({ closingRaw, valueMicroUsd }) => closingRaw !== '0' && valueMicroUsd === null).length;
  const gas = sumOf(entries.map(({ gasMist }) => BigInt(gasMist)));
  return [
    ...differs(null, 'the value', totals.closingMicroUsd, value, 'millionths of a USD'),
    ...differs(null, 'the number of coins without a price', totals.unpricedCoins, unpriced, ''),
    ...differs(null, 'the gas', totals.gasMist, gas, 'MIST'),
  ];
}

type Amount = string | number | bigint | null;

const differs = (
  of: Coin | null,
  what: string,
  stated: Amount,
  found: Amount,
  unit = 'base units',
): readonly string[] => {
  if (String(stated) === String(found)) return [];
  const textOf = (amount: Amount): string => (amount === null ? 'unknown' : `${amount} ${unit}`.trim());
  return [`${of === null ? 'Totals' : nameOf(of)}: ${what} is stated as ${textOf(stated)} but is ${textOf(found)}.`];
};

const nameOf = ({ symbol, coinType }: Coin): string => symbol ?? coinType;
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
