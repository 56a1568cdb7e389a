import { expect, test } from 'vitest';

import { createManualClock } from '../../tests/support/manual-clock.ts';
import type { SourceReading } from '../shared/source-status.ts';
import { findReadyAmong } from '../http/route.ts';
import { createSourceWatch } from './source-watch.ts';

const refreshMs = 60_000;

test('a source is told once it missed five refreshes, and no more when it was read again', () => {
  const clock = createManualClock();
  let readings: readonly SourceReading[] = [{ source: 'prices', readAt: clock.now() }];
  let changes = 0;
  const watch = createSourceWatch({ readings: () => readings, refreshMs, clock });
  watch.onChange(() => (changes += 1));
  for (let half = 0; half < 10; half += 1) clock.advance(refreshMs / 2);
  expect([watch.lineHtml(), changes]).toEqual(['', 0]);
  clock.advance(refreshMs / 2);
  expect(watch.lineHtml()).toMatch(/>Prices are from .* UTC: the price service has not answered since\.<\/p>$/);
  clock.advance(refreshMs);
  expect(changes).toBe(1);
  readings = [{ source: 'prices', readAt: clock.now() }];
  clock.advance(refreshMs / 2);
  expect([watch.lineHtml(), changes]).toEqual(['', 2]);
  watch.stop();
});

test('several are told one after the other; what was never read is not stale', () => {
  const clock = createManualClock();
  const readAt = new Date(clock.now().getTime() - 6 * refreshMs);
  const readings: readonly SourceReading[] = [
    { source: 'chain', readAt },
    { source: 'prices', readAt: null },
    { source: 'marketplace', readAt },
  ];
  const watch = createSourceWatch({ readings: () => readings, refreshMs, clock });
  expect(watch.lineHtml()).toMatch(/The treasury is as it was at .* Floor prices are from /);
  expect(watch.lineHtml()).not.toContain('Prices are from');
  watch.stop();
});

test('GET /api/sources and the line say the same as it changes, and nothing looks again after the stop', () => {
  const clock = createManualClock();
  const readAt = clock.now();
  let looks = 0;
  const readings = (): readonly SourceReading[] => {
    looks += 1;
    return [{ source: 'prices', readAt }];
  };
  const watch = createSourceWatch({ readings, refreshMs, clock });
  const told = (): unknown => JSON.parse(findReadyAmong(watch.routes)('/api/sources')?.identity.toString() ?? '');
  expect(told()).toEqual({ data: { stale: [] } });
  for (let half = 0; half < 11; half += 1) clock.advance(refreshMs / 2);
  const stale = [{ source: 'prices', asOf: readAt.toISOString() }];
  expect(told()).toEqual({ data: { stale } });
  const attribute = /data-stale="([^"]*)"/.exec(watch.lineHtml())?.[1] ?? '';
  expect(JSON.parse(attribute.replaceAll('&quot;', '"'))).toEqual(stale);
  watch.stop();
  const looksBefore = looks;
  clock.advance(refreshMs);
  expect(looks).toBe(looksBefore);
});
