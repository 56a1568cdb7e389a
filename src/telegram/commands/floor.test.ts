import { describe, expect, test } from 'vitest';
import { minutesAgo, someCollection } from '../../../tests/support/activity-events.ts';
import { goodFacts as facts, textOf } from '../../../tests/support/told-facts.ts';
import { floorAnswer } from './floor.ts';

describe('/floor', () => {
  test('shows the floor in SUI and in USD', () =>
    expect(textOf(floorAnswer(facts))).toBe('🏷 Sui Rocks: floor 13 SUI ($45.50)\n38 listed'));

  test('an unknown floor is not shown as zero, and an old figure shows its age', () => {
    const collection = someCollection({ floorMist: null, lastSucceededAt: minutesAgo(180) });
    const said = textOf(floorAnswer({ ...facts, collection }));
    expect(said).toContain('floor not known');
    expect(said).toContain('As of 3 hours ago');
    expect(said).not.toContain('0 SUI');
  });

  test.each([
    [1.5, null],
    [1.6, 'As of 1 minute ago: the marketplace is not answering.'],
  ])('marks figures older than twice their refresh (rulings R3): after %d minutes %s', (minutes, words) => {
    const failingSince = { at: minutesAgo(minutes), reason: 'network' };
    const collection = someCollection({ lastSucceededAt: minutesAgo(minutes), failingSince });
    const said = textOf(floorAnswer({ ...facts, collection }));
    expect(said.includes('As of')).toBe(words !== null);
    expect(said).toContain(words ?? 'floor 13 SUI');
  });

  test.each([
    [null, 'As of 3 hours ago: nothing newer has been read yet.'],
    ['timeout', 'As of 3 hours ago: the marketplace is not answering.'],
    ['marketplace-key-refused', 'As of 3 hours ago: the marketplace cannot be read right now.'],
    [
      'collection-unknown',
      'As of 3 hours ago: the marketplace no longer knows this collection. If it has a new address there, a group admin can send /setup with it.',
    ],
  ])('an old figure says why nothing newer is known (%s)', (reason, words) => {
    const failingSince = reason === null ? null : { at: minutesAgo(180), reason };
    const collection = someCollection({ lastSucceededAt: minutesAgo(180), failingSince });
    expect(textOf(floorAnswer({ ...facts, collection }))).toContain(words);
  });

  test('a longer poll interval (TRACKER_POLL_MAX_MS) does not by itself make a figure old', () => {
    const asked = { ...facts, collection: someCollection({ lastSucceededAt: minutesAgo(9) }) };
    expect(textOf(floorAnswer({ ...asked, pollMaxMs: 5 * 60_000 }))).not.toContain('As of');
    expect(textOf(floorAnswer({ ...asked, pollMaxMs: 4 * 60_000 }))).toContain('As of 9 minutes ago');
  });
});
