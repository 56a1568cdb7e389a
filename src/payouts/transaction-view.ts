import { transactionLink } from '../shared/explorer-links.ts';
import { nextLines } from './core/next-lines.ts';
import type { PublishedPayout } from './payout-book.ts';
import type { PayoutTransaction, PayoutTransactionsAnswer } from './payout-transactions-contract.ts';
import type { KeptTransaction } from './transaction-store.ts';

/** The transactions of a payout as they are shown, newest first. */
export function transactionsView(
  payout: PublishedPayout,
  kept: readonly KeptTransaction[],
  explorerUrl: string,
): PayoutTransactionsAnswer['data'] {
  const { open } = nextLines(payout.plan, payout.result);
  return {
    transactions: kept.map((each) => oneView(payout, each, explorerUrl)),
    open: { lines: open.lines, raw: String(open.raw) },
  };
}

function oneView(payout: PublishedPayout, kept: KeptTransaction, explorerUrl: string): PayoutTransaction {
  const { digest, bytes, gasBudgetMist, gasMist, builtAt, builtBy, expiresEpoch } = kept;
  const lines = kept.lines.flatMap((index) => payout.plan.lines[index] ?? []);
  const totalRaw = String(lines.reduce((sum, { raw }) => sum + BigInt(raw), 0n));
  // The ledger may know of it before anybody has looked.
  const paidAt = paymentOf(payout, kept)?.at ?? null;
  const state = paidAt === null ? kept.state : 'executed';
  const isWaiting = state === 'waiting';
  const problem = isWaiting ? whyNotToSign(payout, kept) : null;
  return {
    digest,
    state,
    lines: kept.lines.length,
    totalRaw,
    gasBudgetMist: String(gasBudgetMist),
    gasMist: String(gasMist),
    builtAt: builtAt.toISOString(),
    builtBy,
    expiresEpoch: Number(expiresEpoch),
    executedAt: (kept.executedAt ?? paidAt)?.toISOString() ?? null,
    explorerUrl: transactionLink(explorerUrl, digest),
    bytes: isWaiting && problem === null ? Buffer.from(bytes).toString('base64') : null,
    problem,
    effects: isWaiting ? { received: lines, leavesRaw: totalRaw, gasMist: String(gasMist) } : null,
  };
}

const paymentOf = ({ result }: PublishedPayout, { lines, digest }: KeptTransaction) =>
  lines.flatMap((index) => result.lines[index]?.payments ?? []).find((payment) => payment.digest === digest);

/** Somebody may have paid a line of it by hand, out of coins that it does not spend: it would pay that line again. null: it may be signed. */
export function whyNotToSign(payout: PublishedPayout, kept: KeptTransaction): string | null {
  const { plan, result } = payout;
  // It was itself that paid them, a moment ago: it can do so once.
  if (paymentOf(payout, kept) !== undefined) return null;
  const paid = kept.lines.filter((index) => result.lines[index]?.state !== 'open');
  const [first] = paid;
  if (first === undefined) return null;
  const others = paid.length - 1;
  const whom = `${plan.lines[first]?.address ?? ''}${others === 0 ? '' : ` and ${others} more`}`;
  return `Do not sign this transaction: ${whom} ${others === 0 ? 'was' : 'were'} paid by another one meanwhile. It can be replaced once epoch ${kept.expiresEpoch} is over, or one of its coins was spent: have the treasury send itself a little SUI.`;
}
