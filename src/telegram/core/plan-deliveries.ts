import type { ActivityEvent } from '../../collections/contract.ts';
import { arrangeEvents, type Arrangement } from './arrange-events.ts';
import { busyWallets } from './busy-wallets.ts';
import { digestCard } from './card-digest.ts';
import { eventCard } from './card-event.ts';
import { foldedCard, walletListingsCard } from './card-folded.ts';
import type { CardContext } from './card-parts.ts';
import type { DeliveryPlan, PlanInput, PlannedMessage } from './delivery-plan.ts';
import { dropReason } from './drop-reason.ts';
import { asItHappened } from './event-order.ts';
import type { MessageContent } from './message-content.ts';
import { progressText } from './progress-text.ts';
import { isQuiet } from './quiet-hours.ts';
import { relistIds } from './relist.ts';

/**
 * What one group is told of one poll (rulings R4): which messages, in which order, what is left out and why, and what
 * waits for the morning. Every event of the batch is in exactly one of the three.
 */
export const planDeliveries = (input: PlanInput): DeliveryPlan => {
  const { rules, batch, now, followedSince } = input;
  const relists = relistIds(batch.events, batch.earlierListings);
  const surroundings = {
    floorBeforeMist: batch.floorBeforeMist,
    floorMist: batch.collection.floorMist,
    relists,
    followedSince,
  };
  const judged = batch.events.map((event) => ({ event, reason: dropReason(event, rules, surroundings) }));
  const dropped = judged.flatMap(({ event, reason }) => (reason === null ? [] : [{ eventId: event.id, reason }]));
  const toTell = judged.filter(({ reason }) => reason === null).map(({ event }) => event);
  if (isQuiet(now, rules.quietHours, rules.utcOffsetMinutes)) {
    return { messages: [], dropped, heldEventIds: idsOf(toTell.toSorted(asItHappened)) };
  }
  const newestAt = batch.events.toSorted(asItHappened).at(-1)?.happenedAt ?? now;
  const wallets = busyWallets(batch.events, batch.earlierListings);
  const arrangement = arrangeEvents(toTell, { now, newestAt, gapMs: batch.gapMs, busyWallets: wallets });
  return { messages: messagesOf(arrangement, input), dropped, heldEventIds: [] };
};

const messagesOf = (
  arrangement: Arrangement,
  { batch, rules, usdPerSui, explorerUrl }: PlanInput,
): PlannedMessage[] => {
  const { collection, floorBeforeMist } = batch;
  const context: CardContext = { collection, floorBeforeMist, explorerUrl, usdPerSui };
  const counts = mintedCounts(batch.events, rules.mintedCount);
  const { maxSupply } = rules;
  const countAt = (event: ActivityEvent | undefined): number =>
    (event === undefined ? undefined : counts.get(event.id)) ?? rules.mintedCount;
  const { singles, folded, ofBusyWallets, digest } = arrangement;
  const sellers = [...new Set(ofBusyWallets.flatMap(({ seller }) => seller ?? []))];
  return [
    message('digest', digest, () => digestCard(digest, context, rules.utcOffsetMinutes)),
    ...singles.map((event) =>
      message('card', [event], () => eventCard(event, context, { mintedCount: countAt(event), maxSupply })),
    ),
    ...folded.map(({ kind, events }) => {
      const progress = kind === 'mint' ? progressText(countAt(events.at(-1)), maxSupply) : null;
      return message('folded', events, () => foldedCard(kind, events, context, progress));
    }),
    message('folded', ofBusyWallets, () => walletListingsCard(sellers, ofBusyWallets, context)),
  ]
    .flat()
    .toSorted((one, other) => asItHappened(newestOf(one), newestOf(other)));
};

/** None where there is nothing to tell. */
const message = (
  kind: PlannedMessage['kind'],
  events: readonly ActivityEvent[],
  content: () => MessageContent,
): PlannedMessage[] => {
  const newest = events.at(-1);
  if (newest === undefined) return [];
  return [{ kind, content: content(), eventIds: idsOf(events), happenedAt: newest.happenedAt }];
};

const newestOf = (planned: PlannedMessage): { happenedAt: Date; id: bigint } => ({
  happenedAt: planned.happenedAt,
  id: planned.eventIds.at(-1) ?? 0n,
});

/** How many were minted with each mint of the batch, told or not. */
const mintedCounts = (events: readonly ActivityEvent[], before: number): ReadonlyMap<bigint, number> =>
  new Map(
    events
      .filter(({ kind }) => kind === 'mint')
      .toSorted(asItHappened)
      .map(({ id }, index) => [id, before + index + 1]),
  );

const idsOf = (events: readonly ActivityEvent[]): bigint[] => events.map(({ id }) => id);
