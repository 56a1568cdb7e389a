import { cleanText } from '../../../shared/foreign-text.ts';
import { isUsableDecimals } from '../../../shared/money.ts';
import { canonicalWallet, suiCoinType } from '../../../shared/sui-address.ts';
import type { ShownFields } from '../../../ui/api/versioned-change.tsx';
import type { DraftTerms } from '../../core/draft-terms.ts';
import { noMetadata, payoutWords, rockList, type RefusedTerm } from '../../core/payout-words.ts';
import { amountInWords, leftOutInWords, readAmount, typedAmount, coinOf, coinOfType } from './payout-words.ts';
import { type Payout, type TreasuryCoin } from './payouts-calls.ts';

/** The fields of a draft, as typed. */
export interface DraftValues {
  readonly title: string;
  readonly reason: string;
  readonly coinType: string;
  readonly mode: DraftTerms['amount']['mode'];
  readonly amount: string;
  readonly leftOut: readonly LeftOutRow[];
}

export interface LeftOutRow {
  /** Identifies the row in the form. */
  readonly key: number;
  /** An address, or rocks without a known owner: `#2, #5`. */
  readonly who: string;
  readonly reason: string;
}

type Coins = readonly TreasuryCoin[];
type RowProblems = { readonly who: string | undefined; readonly reason: string | undefined };

/** One sentence for each field. */
export type DraftProblems = Partial<Record<'title' | 'reason' | RefusedTerm, string>> & {
  readonly rows?: ReadonlyMap<number, RowProblems>;
};

/** SUI first, then by symbol; coins that cannot be paid out last. */
export const inOrder = (coins: Coins): Coins => {
  const place = ({ type, decimals }: TreasuryCoin): number => (type === suiCoinType ? 0 : decimals === null ? 2 : 1);
  return coins.toSorted(
    (one, other) => place(one) - place(other) || (one.symbol ?? one.type).localeCompare(other.symbol ?? other.type),
  );
};

/** null: a new payout. */
export function prefilled(payout: Payout | null, coins: Coins): DraftValues {
  const terms = payout?.terms ?? null;
  if (payout === null || terms === null) return { ...emptyForm, coinType: inOrder(coins)[0]?.type ?? '' };
  const { title, reason, coinType, amount, leftOut } = terms;
  return {
    title,
    reason,
    coinType,
    mode: amount?.mode ?? 'total',
    amount: amount?.raw == null ? '' : typedAmount(amount.raw, coinOf(payout, coins)),
    leftOut: (leftOut ?? []).map((row, key) => ({
      key,
      who: row.address ?? rockList(row.rocks ?? []),
      reason: row.reason,
    })),
  };
}

export const withRow = (rows: readonly LeftOutRow[], who = ''): readonly LeftOutRow[] => [
  ...rows,
  { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, who, reason: '' },
];

const typedRocks = /^\s*#?[1-9]\d{0,5}(?:[\s,]+#?[1-9]\d{0,5})*\s*$/;

/** null: neither an address nor rocks. */
function readWho(who: string): Pick<DraftTerms['leftOut'][number], 'address' | 'rocks'> | null {
  const address = canonicalWallet(who);
  if (address !== null) return { address };
  return typedRocks.test(who) ? { address, rocks: who.match(/\d+/g)?.map(Number) } : null;
}

const emptyForm = { title: '', reason: '', mode: 'total', amount: '', leftOut: [] } as const;

/** The terms to save, or why they cannot be saved. */
export function readDraft(
  form: DraftValues,
  coins: Coins,
): { readonly terms: DraftTerms | null; readonly problems: DraftProblems } {
  const amount = amountIn(form, coins);
  const rows = rowProblemsOf(form.leftOut);
  const title = cleanText(form.title, payoutWords.title);
  const reason = cleanText(form.reason, payoutWords.reason);
  const problems: DraftProblems = {
    ...amount.problems,
    ...(title === '' && { title: 'Give it a title.' }),
    ...(reason === '' && { reason: 'Say why it is paid.' }),
    ...(rows.size > 0 && { rows }),
  };
  if (amount.raw === null || Object.keys(problems).length > 0) return { terms: null, problems };
  const leftOut = form.leftOut.flatMap((row) => {
    const who = readWho(row.who);
    return who === null ? [] : [{ ...who, reason: cleanText(row.reason, payoutWords.leftOutReason) }];
  });
  const { coinType, mode } = form;
  return { terms: { title, reason, coinType, amount: { mode, raw: amount.raw }, leftOut }, problems };
}

interface AmountIn {
  /** null: see `problems`. */
  readonly raw: string | null;
  readonly problems: Pick<DraftProblems, 'coin' | 'amount'>;
}

function amountIn({ coinType, amount }: DraftValues, coins: Coins): AmountIn {
  const wrong = (problems: AmountIn['problems']): AmountIn => ({ raw: null, problems });
  const coin = coins.find(({ type }) => type === coinType);
  if (coin === undefined) return wrong({ coin: 'The treasury no longer holds this coin. Choose another one.' });
  const { decimals } = coin;
  if (decimals === null || !isUsableDecimals(decimals)) return wrong({ coin: noMetadata });
  const read = readAmount(amount, { ...coin, decimals });
  return 'raw' in read ? { raw: read.raw, problems: {} } : wrong({ amount: read.problem });
}

/** By the key of the row; only rows with a problem. */
function rowProblemsOf(rows: readonly LeftOutRow[]): ReadonlyMap<number, RowProblems> {
  const found = rows.map(({ key, who, reason }, index): readonly [number, RowProblems] => [
    key,
    { who: whoProblem(who, rows.slice(0, index)), reason: reasonProblem(reason) },
  ]);
  return new Map(found.filter(([, { who, reason }]) => who !== undefined || reason !== undefined));
}

function whoProblem(who: string, rowsBefore: readonly LeftOutRow[]): string | undefined {
  if (readWho(who) === null)
    return 'A Sui address is 0x followed by 64 characters, each 0–9 or a–f; rocks are numbers, such as #2.';
  const address = canonicalWallet(who);
  const isTwice = address !== null && rowsBefore.some((row) => canonicalWallet(row.who) === address);
  return isTwice ? 'This address is already left out.' : undefined;
}

const reasonProblem = (reason: string): string | undefined =>
  cleanText(reason, payoutWords.leftOutReason) === '' ? 'Say why. Everybody can read it.' : undefined;

/**
 * The terms for a preview while the rest is still being typed: title and reasons do not matter for it, and rows without a whole address
 * or a number leave nobody out yet. null: there is no valid amount.
 */
export function previewTerms(form: DraftValues, coins: Coins): DraftTerms | null {
  const words = 'Preview';
  const leftOut = form.leftOut.filter(({ who }) => readWho(who) !== null).map((row) => ({ ...row, reason: words }));
  return readDraft({ ...form, title: words, reason: words, leftOut }, coins).terms;
}

/** The typed version of a draft, shown beside the stored one when two admins change it at once. */
export function typedFields(form: DraftValues, coins: Coins): ShownFields {
  const coin = coinOfType(form.coinType, coins);
  const { raw } = amountIn(form, coins);
  return {
    Title: form.title,
    Reason: form.reason,
    Amount: raw === null ? form.amount : amountInWords({ mode: form.mode, raw }, coin),
    'Left out': form.leftOut
      .map((row) => leftOutInWords({ address: row.who, ...readWho(row.who), reason: row.reason }))
      .join('; '),
  };
}
