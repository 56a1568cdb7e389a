import { setTimeout as delay } from 'node:timers/promises';

import { createRandom, type Random } from '../sandbox/world/random.ts';
import { walletOf } from '../tests/support/role-world.ts';
import type { RoleMember } from './role-servers.ts';
import type { TrackedGroups } from './tracked-groups.ts';
import type { TwoCopiesWorld } from './two-copies-world.ts';

/** An event that every group of a collection should get once. */
interface Happened {
  readonly transactionDigest: string;
  readonly chatIds: readonly number[];
}

/** A member's wallet got a rock, or lost its only one. */
export interface Trade {
  readonly userId: string;
  readonly holds: boolean;
  readonly atMs: number;
}

export interface Market {
  /** In the order in which they happened. */
  readonly events: readonly Happened[];
  readonly trades: readonly Trade[];
  readonly holders: ReadonlySet<string>;
  stop(): Promise<void>;
}

export interface MarketPace {
  readonly eventEveryMs: number;
  readonly tradeEveryMs: number;
}

/** Causes events and trades all the time; the seed alone decides which. */
export const runMarket = (world: TwoCopiesWorld, seed: number, pace: MarketPace): Market => {
  const random = createRandom(seed);
  const stopped = new AbortController();
  const events: Happened[] = [];
  const trades: Trade[] = [];
  const members = world.servers.flatMap(({ members: own }) => own);
  const holders = new Set(members.filter(({ rockId }) => rockId !== null).map(({ userId }) => userId));
  const nextEvent = eventsOf(world, random);
  const nextTrade = tradesOf(world, random, members, holders);
  const every = async (everyMs: number, run: () => unknown): Promise<void> => {
    while (!stopped.signal.aborted) {
      await run();
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };
  const running = [
    every(pace.eventEveryMs, () => events.push(nextEvent())),
    every(pace.tradeEveryMs, () => trades.push(...nextTrade())),
  ];
  return {
    events,
    trades,
    holders,
    stop: async () => {
      stopped.abort();
      await Promise.all(running);
    },
  };
};

/** One collection after the other: a new piece, its only listing, its sale. So no event is folded as noise. */
const eventsOf = ({ sandbox: { world }, collections }: TwoCopiesWorld, random: Random): (() => Happened) => {
  const pieces = new Map<string, { readonly id: string; readonly isListed: boolean }>();
  let turn = 0;
  const happen = ({ key }: TrackedGroups): void => {
    const piece = pieces.get(key);
    const somebody = walletOf(5_000 + random.below(5_000));
    if (piece === undefined) {
      pieces.set(key, { id: world.mint({ address: somebody, collection: key }).id, isListed: false });
    } else if (!piece.isListed) {
      world.list({ nftId: piece.id, priceMist: 5_000_000_000n + BigInt(random.below(1_000)) * 10_000_000n });
      pieces.set(key, { ...piece, isListed: true });
    } else {
      world.buy({ nftId: piece.id, buyer: somebody });
      pieces.delete(key);
    }
  };
  return () => {
    const collection = collections[turn % collections.length];
    if (collection === undefined) throw new Error('There is no collection');
    turn += 1;
    happen(collection);
    const action = world.state.actions.at(-1);
    if (action === undefined) throw new Error('Nothing happened');
    // Now and then another market reports the same event: it is still one (rulings R4).
    if (random.below(8) === 0) world.repeatAction({ actionId: action.id, marketName: 'bluemove' });
    return { transactionDigest: action.txId, chatIds: collection.chatIds };
  };
};

/** A holder's rock goes to a member without one, as a sale or as a gift. Changes `holders`. */
const tradesOf = (
  { sandbox: { world } }: TwoCopiesWorld,
  random: Random,
  members: readonly RoleMember[],
  holders: Set<string>,
): (() => readonly Trade[]) => {
  const rocks = new Map(members.flatMap(({ userId, rockId }) => (rockId === null ? [] : [[userId, rockId] as const])));
  return () => {
    const from = random.pick(members.filter(({ userId }) => holders.has(userId)));
    const to = random.pick(members.filter(({ userId }) => !holders.has(userId)));
    const nftId = rocks.get(from.userId) ?? '';
    if (random.below(2) === 0) world.transfer({ nftId, address: to.wallet });
    else {
      world.list({ nftId, priceMist: 15_000_000_000n });
      world.buy({ nftId, buyer: to.wallet });
    }
    rocks.delete(from.userId);
    rocks.set(to.userId, nftId);
    holders.delete(from.userId);
    holders.add(to.userId);
    const atMs = Date.now();
    return [
      { userId: from.userId, holds: false, atMs },
      { userId: to.userId, holds: true, atMs },
    ];
  };
};
