import type { ActivityEvent } from '../../src/market/contract.ts';
import { type DeliveryPlan, planDeliveries } from '../../src/telegram/notify/rules/plan-deliveries.ts';
import { minutesAgo, mist, someAddress, someEvent, somePlan } from './activity-events.ts';

type Given = Parameters<typeof somePlan>[1];

export const planOf = (events: readonly ActivityEvent[], given: Given = {}): DeliveryPlan =>
  planDeliveries(somePlan(events, given));

/** `count` events, a second apart, the last one a minute ago. */
export const series = (count: number, given: Partial<ActivityEvent> = {}, firstId = 1): ActivityEvent[] =>
  Array.from({ length: count }, (_, index) =>
    someEvent(firstId + index, { happenedAt: minutesAgo(1 + (count - 1 - index) / 60), ...given }),
  );

export const listing = (id: number, given: Partial<ActivityEvent> = {}): ActivityEvent =>
  someEvent(id, { kind: 'listing', type: 'list', buyer: null, seller: someAddress(id), priceMist: mist(13), ...given });

export const told = (plan: DeliveryPlan): [string, number[]][] =>
  plan.messages.map(({ kind, eventIds }) => [kind, eventIds.map(Number)]);
export const inWords = (one: string, other: string): number => one.localeCompare(other);
export const reasons = (plan: DeliveryPlan): [number, string][] =>
  plan.dropped.map(({ eventId, reason }) => [Number(eventId), reason]);
