import type { ActivityEvent, ActivityKind } from '../../../market/contract.ts';
import { asItHappened } from './event-order.ts';
import { activityKinds } from '../../cards/tally.ts';

/** Rulings R4: more than 5 of one kind are folded; at most the newest 10 go one by one; over 6 hours old is stale. */
const oneByOneOfKindMax = 5;
export const oneByOneMax = 10;
export const staleAfterMs = 6 * 60 * 60_000;
/** Between two polls there are 30 to 45 seconds: a gap like this is downtime. */
const downtimeGapMs = 5 * 60_000;

interface Circumstances {
  readonly now: Date;
  /** The newest event of the poll, told or not. */
  readonly newestAt: Date;
  readonly gapMs: number;
  /** See busy-wallets.ts. */
  readonly busyWallets: ReadonlySet<string>;
}

/** Every event is in exactly one of the four. */
export interface Arrangement {
  readonly singles: readonly ActivityEvent[];
  readonly folded: readonly { readonly kind: ActivityKind; readonly events: readonly ActivityEvent[] }[];
  /** Listings of busy wallets. */
  readonly ofBusyWallets: readonly ActivityEvent[];
  readonly digest: readonly ActivityEvent[];
}

/**
 * Rulings R4, how the rules meet:
 * 1. Stale events go to the digest.
 * 2. After downtime everything but the newest 10 goes to the digest, first of all: a night is no burst of one poll.
 * 3. The listings of busy wallets become one card; of what is left, each kind with more than 5 becomes one card.
 * 4. Of what is left one by one, everything but the newest 10 goes to the digest.
 * So there are never more than 10 single cards, one folded card a kind, one of busy wallets, and one digest.
 */
export const arrangeEvents = (events: readonly ActivityEvent[], circumstances: Circumstances): Arrangement => {
  const sorted = events.toSorted(asItHappened);
  const fresh = sorted.filter((event) => !isStale(event, circumstances));
  const recent = circumstances.gapMs > downtimeGapMs ? fresh.slice(-oneByOneMax) : fresh;
  const isOfBusyWallet = ({ kind, seller }: ActivityEvent): boolean =>
    kind === 'listing' && seller !== null && circumstances.busyWallets.has(seller);
  const ofBusyWallets = recent.filter(isOfBusyWallet);
  const rest = recent.filter((event) => !isOfBusyWallet(event));
  const folded = activityKinds
    .map((kind) => ({ kind, events: rest.filter((event) => event.kind === kind) }))
    .filter((fold) => fold.events.length > oneByOneOfKindMax);
  const singles = rest.filter(({ kind }) => !folded.some((fold) => fold.kind === kind)).slice(-oneByOneMax);
  const told = new Set([...singles, ...ofBusyWallets, ...folded.flatMap((fold) => fold.events)]);
  return { singles, folded, ofBusyWallets, digest: sorted.filter((event) => !told.has(event)) };
};

/**
 * Held against our clock and against the newest event: with a clock that is wrong, the marketplace's own times still
 * keep old events from going out one by one, and what is fresh is told in the digest at worst.
 */
const isStale = ({ happenedAt }: ActivityEvent, { now, newestAt }: Circumstances): boolean =>
  Math.max(now.getTime(), newestAt.getTime()) - happenedAt.getTime() > staleAfterMs;
