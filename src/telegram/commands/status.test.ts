import { describe, expect, test } from 'vitest';
import { minutesAgo, someCollection } from '../../../tests/support/activity-events.ts';
import { goodStatus as status, textOf } from '../../../tests/support/told-facts.ts';
import { statusAnswer } from './status.ts';

describe('Rulings R4: /status shows last check, source lag, permissions, pinned topic and waiting messages', () => {
  test('when all is well', () =>
    expect(textOf(statusAnswer(status)).split('\n')).toEqual([
      '🩺 Tracking Sui Rocks',
      'Last check: 30 seconds ago',
      'Permissions: messages and photos allowed',
      'Notifications go to: the group itself',
      'Waiting messages: none',
      'Last notification: 5 minutes ago',
    ]));

  test.each([
    ['collection-unknown', 'the marketplace no longer knows this collection. If it has a new address there'],
    ['marketplace-key-refused', 'the marketplace cannot be read right now. I keep trying'],
    ['internal-error', 'the marketplace cannot be read right now. I keep trying'],
  ])('when reading fails with %s, and does not call the marketplace silent', (reason, words) => {
    const collection = someCollection({ failingSince: { at: minutesAgo(120), reason } });
    expect(textOf(statusAnswer({ ...status, collection }))).toContain(words);
  });

  test("and says 'just now' instead of '0 seconds ago'", () => {
    const collection = someCollection({ lastCheckedAt: status.now, lastSucceededAt: status.now });
    const said = textOf(statusAnswer({ ...status, collection, pendingCount: 1, oldestPendingAt: status.now }));
    expect(said).toContain('Last check: just now');
    expect(said).toContain('the oldest for 1 second');
  });

  test('when something is wrong', () => {
    const collection = someCollection({
      failingSince: { at: minutesAgo(120), reason: 'timeout' },
      lastSucceededAt: minutesAgo(120.5),
      lastCheckedAt: minutesAgo(0.5),
    });
    const said = textOf(
      statusAnswer({
        ...status,
        collection,
        canSendPhotos: false,
        pinned: { chatId: -1_001_234, topicId: 7, state: 'open', askedInTopicId: null },
        pendingCount: 3,
        oldestPendingAt: minutesAgo(2),
        lastSentAt: null,
        trouble: 'Bad Request: <not enough rights>',
      }),
    );
    expect(said).toMatch(/I cannot send photos here.* and then send \/test/);
    expect(said).toContain('Notifications go to: their own topic');
    expect(said).toContain('Last check: 2 hours ago; the marketplace is not answering. I keep trying');
    expect(said).toContain('Waiting messages: 3, the oldest for 2 minutes');
    expect(said).toContain('Telegram says: Bad Request: <not enough rights>');
    expect(textOf(statusAnswer({ ...status, pendingCount: 1, oldestPendingAt: minutesAgo(1) }))).toContain(
      'Waiting messages: 1, the oldest for 1 minute',
    );
  });
});
