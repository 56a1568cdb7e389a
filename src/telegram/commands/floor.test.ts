import { describe, expect, test } from 'vitest';
import { minutesAgo, someCollection } from '../../../tests/support/activity-events.ts';
import { goodFacts as facts, textOf } from '../../../tests/support/told-facts.ts';
import { floorAnswer } from './floor.ts';

describe('/floor', () => {
  test('the floor, in SUI and in USD', () =>
    expect(textOf(floorAnswer(facts))).toBe('🏷 Sui Rocks: floor 13 SUI ($45.50)\n38 listed'));

  test('an unknown floor is not zero, and an old one says its age', () => {
    const collection = someCollection({ floorMist: null, lastSucceededAt: minutesAgo(180) });
    const said = textOf(floorAnswer({ ...facts, collection }));
    expect(said).toContain('floor not known');
    expect(said).toContain('As of 3 hours ago');
    expect(said).not.toContain('0 SUI');
  });

  test.each([
    [1.5, null],
    [1.6, 'As of 1 minute ago: the marketplace is not answering.'],
  ])('after %d minutes a figure is older than twice its refresh (rulings R3): %s', (minutes, words) => {
    const collection = someCollection({ lastSucceededAt: minutesAgo(minutes) });
    const said = textOf(floorAnswer({ ...facts, collection }));
    expect(said.includes('As of')).toBe(words !== null);
    expect(said).toContain(words ?? 'floor 13 SUI');
  });

  test('a longer poll (TRACKER_POLL_MAX_MS) makes no figure old by itself', () => {
    const asked = { ...facts, collection: someCollection({ lastSucceededAt: minutesAgo(9) }) };
    expect(textOf(floorAnswer({ ...asked, pollMaxMs: 5 * 60_000 }))).not.toContain('As of');
    expect(textOf(floorAnswer({ ...asked, pollMaxMs: 4 * 60_000 }))).toContain('As of 9 minutes ago');
  });
});
