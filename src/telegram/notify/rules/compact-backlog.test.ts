import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byValue, minutesAgo, storyNow } from '../../../../tests/support/activity-events.ts';
import { type BacklogMessage, compactBacklog } from './compact-backlog.ts';

const waiting = (id: number, given: Partial<BacklogMessage> = {}): BacklogMessage => ({
  id: BigInt(id),
  kind: 'card',
  eventCount: 1,
  happenedAt: minutesAgo(60),
  ...given,
});
const cards = (count: number): BacklogMessage[] => Array.from({ length: count }, (_, index) => waiting(index + 1));
const compacted = (
  messages: readonly BacklogMessage[],
): { kept: number[]; replaced: number[]; digest: number | null } => {
  const { keptIds, replacedIds, digestId } = compactBacklog(messages, storyNow);
  return {
    kept: keptIds.map(Number),
    replaced: replacedIds.map(Number),
    digest: digestId === null ? null : Number(digestId),
  };
};

describe('Rulings R4, after an outage of the messenger', () => {
  test('ten messages stay', () =>
    expect(compacted(cards(10))).toEqual({ kept: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], replaced: [], digest: null }));

  test('of more, the newest ten stay and the rest becomes one digest in the place of the oldest', () =>
    expect(compacted(cards(13).toReversed())).toEqual({
      kept: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
      replaced: [1, 2, 3],
      digest: 1,
    }));

  test('what is over 6 hours old never goes out singly', () =>
    expect(
      compacted([waiting(1, { happenedAt: minutesAgo(361) }), waiting(2, { happenedAt: minutesAgo(360) })]),
    ).toEqual({ kept: [2], replaced: [1], digest: 1 }));

  test('a digest already there takes the rest in; alone, it stays', () => {
    const digest = waiting(1, { kind: 'digest', eventCount: 5, happenedAt: minutesAgo(500) });
    expect(compacted([digest, waiting(2, { happenedAt: minutesAgo(400) }), waiting(3)])).toEqual({
      kept: [3],
      replaced: [1, 2],
      digest: 1,
    });
    expect(compacted([digest, waiting(3)])).toEqual({ kept: [1, 3], replaced: [], digest: null });
  });

  test('answers to people, samples and recaps stay', () => {
    const others = (['notice', 'test', 'recap'] as const).map((kind, index) =>
      waiting(20 + index, { kind, happenedAt: null, eventCount: 0 }),
    );
    expect(compacted([...cards(12), ...others])).toMatchObject({ replaced: [1, 2], digest: 1 });
  });

  const anyBacklog = fc.array(
    fc.record({
      kind: fc.constantFrom<BacklogMessage['kind']>('card', 'folded', 'digest', 'recap', 'notice', 'test'),
      ago: fc.integer({ min: 0, max: 600 }),
    }),
    { maxLength: 40 },
  );

  test('every message stays or is replaced, and doing it again changes nothing', () =>
    fc.assert(
      fc.property(anyBacklog, (backlog) => {
        const messages = backlog.map(({ kind, ago }, index) =>
          waiting(index + 1, { kind, happenedAt: minutesAgo(ago) }),
        );
        const { keptIds, replacedIds, digestId } = compactBacklog(messages, storyNow);
        expect([...keptIds, ...replacedIds].toSorted(byValue)).toEqual(messages.map(({ id }) => id).toSorted(byValue));
        const after = messages
          .filter(({ id }) => keptIds.includes(id) || id === digestId)
          .map((message): BacklogMessage => (message.id === digestId ? { ...message, kind: 'digest' } : message));
        expect(compactBacklog(after, storyNow).replacedIds).toEqual([]);
      }),
    ));
});
