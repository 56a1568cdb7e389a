import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createKeyedWork } from './keyed-work.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function recorded(options: { readonly debounceMs?: number; readonly atOnce?: number } = {}) {
  const begun: string[] = [];
  const failures: string[] = [];
  const running: PromiseWithResolvers<void>[] = [];
  const work = createKeyedWork({
    work: (key) => {
      begun.push(key);
      const one = Promise.withResolvers<void>();
      running.push(one);
      return one.promise;
    },
    onFailure: (_error, key) => failures.push(key),
    retryMs: 5_000,
    ...options,
  });
  return { work, begun, failures, running };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('Work that is requested by key', () => {
  test('runs once for a burst of requests', async () => {
    const { work, begun } = recorded({ debounceMs: 250 });
    for (let times = 0; times < 20; times += 1) work.request('mountain');
    await pass(249);
    expect(begun).toEqual([]);
    await pass(1);
    expect(begun).toEqual(['mountain']);
  });

  test('runs once more when it was requested during a run, never twice at a time, and other keys do not wait', async () => {
    const { work, begun, running } = recorded();
    work.request('mountain');
    await pass(0);
    work.request('mountain');
    work.request('mountain');
    work.request('valley');
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley']);
    running[0]?.resolve();
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley', 'mountain']);
    running[2]?.resolve();
    await pass(60_000);
    expect(begun).toHaveLength(3);
  });

  test('is retried after a failure', async () => {
    const { work, begun, failures, running } = recorded();
    work.request('mountain');
    await pass(0);
    running[0]?.reject(new Error('no database'));
    await pass(4_999);
    expect([begun, failures]).toEqual([['mountain'], ['mountain']]);
    await pass(1);
    expect(begun).toEqual(['mountain', 'mountain']);
  });

  test('runs for a limited number of keys at a time, the others in order of arrival', async () => {
    const { work, begun, running } = recorded({ atOnce: 2 });
    for (const name of ['mountain', 'valley', 'hill', 'cliff']) work.request(name);
    await pass(60_000);
    expect(begun).toEqual(['mountain', 'valley']);
    running[1]?.resolve();
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley', 'hill']);
    running[0]?.reject(new Error('no database'));
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley', 'hill', 'cliff']);
  });

  test('does not start after a stop, and the stop waits for running work', async () => {
    const { work, begun, running } = recorded();
    work.request('mountain');
    await pass(0);
    work.request('mountain');
    let isStopped = false;
    const stopping = work.stop().then(() => (isStopped = true));
    await pass(0);
    expect(isStopped).toBe(false);
    running[0]?.resolve();
    await stopping;
    work.request('valley');
    await pass(60_000);
    expect(begun).toEqual(['mountain']);
  });
});
