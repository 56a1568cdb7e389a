import { Refused } from '../shared/failure.ts';
import type { SuiClient } from '../sources/sui/sui-client.ts';
import type { PublishedPayout, SentReader } from './payout-book.ts';
import type { PayoutPlan } from './payouts-contract.ts';
import type { KeptTransaction } from './transaction-store.ts';

/** The ledger of the treasury, as far as paying goes by it. */
export interface PaymentLedger {
  /** Has it read now, up to that checkpoint at least, and waits for that. Throws Unavailable. */
  readonly readTo: (checkpoint: bigint) => Promise<void>;
  /** How far it reaches, from the database. Throws what the database throws. */
  readonly reading: () => Promise<LedgerReach>;
}

interface LedgerReach {
  /** False: its past is still being read. */
  readonly isComplete: boolean;
  /** Where it begins; null: with the chain. */
  readonly knownSinceCheckpoint: bigint | null;
}

/** Of the ledger: everything after `since`, up to `to`. */
export interface LedgerRange {
  /** The checkpoint of a plan's snapshot. */
  readonly since: bigint;
  readonly to: bigint;
}

/**
 * Has the ledger read what a plan is judged by. A payment that it does not have must not look like a line that nobody has paid: throws
 * Refused where there may be one, and Unavailable where it could not be read.
 */
export async function readLedger({ readTo, reading }: PaymentLedger, { since, to }: LedgerRange): Promise<void> {
  try {
    await readTo(to);
  } catch (error) {
    // Its first reading takes longer than anybody waits: that is the better reason.
    refuseGaps(await reading(), since);
    throw error;
  }
  refuseGaps(await reading(), since);
}

function refuseGaps({ isComplete, knownSinceCheckpoint }: LedgerReach, since: bigint): void {
  if (!isComplete)
    throw new Refused(
      'ledger-incomplete',
      'The past of the treasury is still being read, so what is paid is not known yet. Try again later.',
    );
  if (knownSinceCheckpoint !== null && knownSinceCheckpoint > since + 1n)
    throw new Refused(
      'ledger-too-short',
      `What the treasury paid is known from checkpoint ${knownSinceCheckpoint} on, but the owners were read at checkpoint ${since}: what was paid in between is not known.`,
    );
}

interface NodeDeps extends PaymentLedger {
  /** Throws Unavailable. */
  readonly chain: Pick<SuiClient, 'readKeptCheckpoints'>;
}

/** The same up to the node's newest checkpoint. */
export async function readLedgerToNow({ chain, ...ledger }: NodeDeps, since: bigint): Promise<void> {
  const { newest: to } = await chain.readKeptCheckpoints();
  await readLedger(ledger, { since, to });
}

/** What is known here to be executed must be in the ledger. Throws Refused where it is not. */
export function refuseHidden({ result }: PublishedPayout, kept: readonly KeptTransaction[]): void {
  const hidden = kept.find(
    ({ state, lines }) => state === 'executed' && lines.some((index) => result.lines[index]?.state === 'open'),
  );
  if (hidden === undefined) return;
  throw new Refused(
    'payment-not-shown',
    `The chain's list does not show a payment that was executed, of transaction ${hidden.digest}: which lines are open is not certain. Try again in a few minutes.`,
  );
}

/** A plan is paid after its publication alone: what went to its addresses before would look like a payment of it. Throws Refused. */
export async function refusePaidBefore(
  { ledger, ...deps }: NodeDeps & { readonly ledger: Pick<SentReader, 'sentSince'> },
  { coin, lines, snapshot }: PayoutPlan,
): Promise<void> {
  const since = BigInt(snapshot.checkpoint);
  await readLedgerToNow(deps, since);
  const sent = await ledger.sentSince(since, [coin.type]);
  const paid = new Set(sent.flatMap(({ to }) => to.map(({ address }) => address)));
  const [first, ...others] = lines.flatMap(({ address }) => (paid.has(address) ? [address] : []));
  if (first === undefined) return;
  const whom = `${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  throw new Refused('paid-before', `The treasury has paid ${whom} since the owners were read. Read them again.`);
}
