import { Status } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type RequestedGuild, createMemberRequests, createMemberEventQueue } from './member-events.ts';
import { discordPace } from '../bot.ts';

/** Discord closes a connection that sends more often in a minute (documentation, topics/gateway). */
const sendsPerMinute = 120;
const answerMs = 200;
const never = new AbortController().signal;
const firstId = 1_000_000_000_000_000_000n;
const idOf = (index: number): string => String(firstId + BigInt(index));
const allIds = (count: number): string[] => Array.from({ length: count }, (_, index) => idOf(index));

/** How many have linked a wallet, by server. */
let linked: Record<string, number>;
let sent: { readonly guildId: string; readonly userIds: readonly string[]; readonly atMs: number }[];
let seen: Record<string, string[]>;
let isAnswering: (userIds: readonly string[]) => boolean;
beforeEach(() => {
  vi.useFakeTimers();
  linked = {};
  sent = [];
  seen = {};
  isAnswering = () => true;
});
afterEach(() => void vi.useRealTimers());

const answer = (
  guildId: string,
  userIds: readonly string[],
  time: number,
): ReturnType<RequestedGuild['members']['fetch']> => {
  sent.push({ guildId, userIds, atMs: performance.now() });
  return new Promise((resolve, reject) => {
    const found = new Map(
      userIds.map((id) => [id, { id, displayName: id, pending: false, roles: { cache: new Map<string, object>() } }]),
    );
    if (isAnswering(userIds)) setTimeout(() => resolve(found), answerMs);
    else setTimeout(() => reject(new Error('no answer')), time);
  });
};
const server = (id: string, count: number, status: Status = Status.Ready): RequestedGuild => {
  linked[id] ??= count;
  return {
    id,
    shardId: 0,
    available: true,
    shard: { status },
    members: { fetch: ({ user, time }) => answer(id, user, time) },
  };
};
const asking = () =>
  createMemberRequests(
    {
      members: {
        seen: async (guildId, members) => {
          (seen[guildId] ??= []).push(...members.map(({ userId }) => userId));
          return { returned: [] };
        },
        gone: async () => {},
        known: async (guildId) => allIds(linked[guildId] ?? 0),
        joined: async () => {},
        guildsWithUnknownRoles: async () => [],
      },
      pace: { ...discordPace, membersWithinMs: 15_000 },
    },
    createMemberEventQueue(),
  );
const busiestMinute = () =>
  Math.max(...sent.map(({ atMs }) => sent.filter((each) => each.atMs >= atMs && each.atMs < atMs + 60_000).length));

test('events of one server are stored in order, and wait for no other server', async () => {
  const queue = createMemberEventQueue();
  const stored: string[] = [];
  const swept = Promise.withResolvers<void>();
  void queue.next('mountain', () => swept.promise);
  const waiting = queue.next('mountain', async () => void stored.push('mountain'));
  await queue.next('valley', async () => void stored.push('valley'));
  expect(stored).toEqual(['valley']);
  swept.resolve();
  await waiting;
  expect(stored).toEqual(['valley', 'mountain']);
});

describe('Requesting members', () => {
  test("100,000 members of a server are requested in ten minutes, within Discord's limit of 120 sends a minute", async () => {
    const beganAtMs = performance.now();
    let endedAtMs = 0;
    void asking()(server('mountain', 100_000), never).then(() => (endedAtMs = performance.now()));
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect(new Set(seen['mountain'])).toHaveLength(100_000);
    expect(sent).toHaveLength(1_000);
    expect((endedAtMs - beganAtMs) / 60_000).toBeCloseTo(10, 0);
    // Twenty are left for heartbeats and everything else.
    expect(busiestMinute()).toBeLessThanOrEqual(sendsPerMinute - 20);
  });

  test('a server behind a large one waits seconds, not until the large one is finished', async () => {
    const ask = asking();
    void ask(server('mountain', 100_000), never);
    await vi.advanceTimersByTimeAsync(61_500);
    const beganAtMs = performance.now();
    let endedAtMs = Infinity;
    void ask(server('valley', 3), never).then(() => (endedAtMs = performance.now()));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(endedAtMs - beganAtMs).toBeLessThan(7_000);
  });

  test('a request that Discord does not answer fails, and no further requests follow', async () => {
    isAnswering = (userIds) => userIds[0] !== idOf(400);
    const failed = expect(asking()(server('mountain', 1_000), never)).rejects.toThrow('no answer');
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
    expect(seen['mountain']).toEqual(allIds(400));
    expect(sent).toHaveLength(5);
  });

  test('nothing is requested on a shard that is not connected, and the result is false', async () => {
    expect(await asking()(server('mountain', 5, Status.Connecting), never)).toBe(false);
    expect(sent).toEqual([]);
  });
});
