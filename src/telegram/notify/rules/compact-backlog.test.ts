import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minutesAgo, storyNow } from '../../../../tests/support/activity-events.ts';
import { type BacklogMessage, replacedByDigest } from './arrange-events.ts';

interface Waiting extends BacklogMessage {
  readonly id: number;
}
const waiting = (id: number, given: Partial<BacklogMessage> = {}): Waiting => ({
  id,
  kind: 'card',
  happenedAt: minutesAgo(60),
  ...given,
});
const cards = (count: number): Waiting[] => Array.from({ length: count }, (_, index) => waiting(index + 1));
const compacted = (messages: readonly Waiting[]): { kept: number[]; replaced: number[]; digest: number | null } => {
  const replaced = replacedByDigest(messages, storyNow).map(({ id }) => id);
  const kept = messages.map(({ id }) => id).filter((id) => !replaced.includes(id));
  // The digest takes the row of the oldest.
  return { kept, replaced, digest: replaced[0] ?? null };
};

describe('Rulings R4, after an outage of the messenger', () => {
  test('ten messages stay', () =>
    expect(compacted(cards(10))).toEqual({ kept: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], replaced: [], digest: null }));

  test('of more than ten, the newest ten stay and the rest becomes one digest in the place of the oldest', () =>
    expect(compacted(cards(13))).toEqual({
      kept: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
      replaced: [1, 2, 3],
      digest: 1,
    }));

  test('a message over 6 hours old never goes out singly', () =>
    expect(
      compacted([waiting(1, { happenedAt: minutesAgo(361) }), waiting(2, { happenedAt: minutesAgo(360) })]),
    ).toEqual({ kept: [2], replaced: [1], digest: 1 }));

  test('an earlier digest takes in the replaced messages; alone, it stays', () => {
    const digest = waiting(1, { kind: 'digest', happenedAt: minutesAgo(500) });
    expect(compacted([digest, waiting(2, { happenedAt: minutesAgo(400) }), waiting(3)])).toEqual({
      kept: [3],
      replaced: [1, 2],
      digest: 1,
    });
    expect(compacted([digest, waiting(3)])).toEqual({ kept: [1, 3], replaced: [], digest: null });
  });

  test('notices, samples and recaps stay', () => {
    const others = (['notice', 'test', 'recap'] as const).map((kind, index) =>
      waiting(20 + index, { kind, happenedAt: null }),
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

  test('every message stays or is replaced, and repeating this changes nothing', () =>
    fc.assert(
      fc.property(anyBacklog, (backlog) => {
        const messages = backlog.map(({ kind, ago }, index) =>
          waiting(index + 1, { kind, happenedAt: minutesAgo(ago) }),
        );
        const { kept, replaced, digest } = compacted(messages);
        expect([...kept, ...replaced].toSorted((one, other) => one - other)).toEqual(messages.map(({ id }) => id));
        const after = messages
          .filter(({ id }) => kept.includes(id) || id === digest)
          .map((message): Waiting => (message.id === digest ? { ...message, kind: 'digest' } : message));
        expect(replacedByDigest(after, storyNow)).toEqual([]);
      }),
    ));
});
