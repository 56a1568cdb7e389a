import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createManualClock, type ManualClock } from '../../tests/support/manual-clock.ts';
import { silentLog } from '../db/outage.ts';
import type { SourceReading } from '../shared/source-status.ts';
import { findReadyAmong } from '../http/route.ts';
import { createSourceWatch } from './source-watch.ts';

const refreshMs = 60_000;
const halfMs = refreshMs / 2;
const log = silentLog;

/** Advances in steps of the watch's own interval, and lets each reading finish. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += halfMs) {
    clock.advance(halfMs);
    await setImmediate();
  }
}

test('a source is reported once it has missed five refreshes, and no longer when it is read again', async () => {
  const clock = createManualClock();
  let readings: readonly SourceReading[] = [{ source: 'prices', readAt: clock.now() }];
  let changes = 0;
  const watch = await createSourceWatch({ readings: async () => readings, refreshMs, clock, log });
  watch.onChange(() => (changes += 1));
  await pass(clock, 10 * halfMs);
  expect([watch.lineHtml(), changes]).toEqual(['', 0]);
  await pass(clock, halfMs);
  expect(watch.lineHtml()).toMatch(/>Prices are from .* UTC: the price service has not answered since\.<\/span>$/);
  await pass(clock, refreshMs);
  expect(changes).toBe(1);
  readings = [{ source: 'prices', readAt: clock.now() }];
  await pass(clock, halfMs);
  expect([watch.lineHtml(), changes]).toEqual(['', 2]);
  watch.stop();
});

test('several stale sources are listed one after the other; a source that was never read is not stale', async () => {
  const clock = createManualClock();
  const readAt = new Date(clock.now().getTime() - 6 * refreshMs);
  const readings: readonly SourceReading[] = [
    { source: 'chain', readAt },
    { source: 'prices', readAt: null },
    { source: 'marketplace', readAt },
  ];
  const watch = await createSourceWatch({ readings: async () => readings, refreshMs, clock, log });
  expect(watch.lineHtml()).toMatch(/The treasury is as it was at .* Floor prices are from /);
  expect(watch.lineHtml()).not.toContain('Prices are from');
  watch.stop();
});

test('GET /api/sources and the line agree as sources change, and no check runs after the stop', async () => {
  const clock = createManualClock();
  const readAt = clock.now();
  let checks = 0;
  const readings = async (): Promise<readonly SourceReading[]> => {
    checks += 1;
    return [{ source: 'prices', readAt }];
  };
  const watch = await createSourceWatch({ readings, refreshMs, clock, log });
  const answered = (): unknown => JSON.parse(findReadyAmong(watch.routes)('/api/sources')?.identity.toString() ?? '');
  expect(answered()).toEqual({ data: { stale: [] } });
  await pass(clock, 11 * halfMs);
  const stale = [{ source: 'prices', asOf: readAt.toISOString() }];
  expect(answered()).toEqual({ data: { stale } });
  const attribute = /data-stale="([^"]*)"/.exec(watch.lineHtml())?.[1] ?? '';
  expect(JSON.parse(attribute.replaceAll('&quot;', '"'))).toEqual(stale);
  watch.stop();
  const checksBefore = checks;
  await pass(clock, refreshMs);
  expect(checks).toBe(checksBefore);
});
