import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createKeyedWork } from './keyed-work.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function recorded(options: { readonly gatherMs?: number; readonly atOnce?: number } = {}) {
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

describe('Work that is asked for by name', () => {
  test('is done once for a burst of questions', async () => {
    const { work, begun } = recorded({ gatherMs: 250 });
    for (let times = 0; times < 20; times += 1) work.ask('mountain');
    await pass(249);
    expect(begun).toEqual([]);
    await pass(1);
    expect(begun).toEqual(['mountain']);
  });

  test('is done once more when it was asked for meanwhile, never twice at a time, and others do not wait', async () => {
    const { work, begun, running } = recorded();
    work.ask('mountain');
    await pass(0);
    work.ask('mountain');
    work.ask('mountain');
    work.ask('valley');
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley']);
    running[0]?.resolve();
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley', 'mountain']);
    running[2]?.resolve();
    await pass(60_000);
    expect(begun).toHaveLength(3);
  });

  test('is tried again after a failure', async () => {
    const { work, begun, failures, running } = recorded();
    work.ask('mountain');
    await pass(0);
    running[0]?.reject(new Error('no database'));
    await pass(4_999);
    expect([begun, failures]).toEqual([['mountain'], ['mountain']]);
    await pass(1);
    expect(begun).toEqual(['mountain', 'mountain']);
  });

  test('is done for so many names at a time, the others in the order in which they came', async () => {
    const { work, begun, running } = recorded({ atOnce: 2 });
    for (const name of ['mountain', 'valley', 'hill', 'cliff']) work.ask(name);
    await pass(60_000);
    expect(begun).toEqual(['mountain', 'valley']);
    running[1]?.resolve();
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley', 'hill']);
    running[0]?.reject(new Error('no database'));
    await pass(0);
    expect(begun).toEqual(['mountain', 'valley', 'hill', 'cliff']);
  });

  test('is not begun any more once it was stopped, and what is under way is waited for', async () => {
    const { work, begun, running } = recorded();
    work.ask('mountain');
    await pass(0);
    work.ask('mountain');
    let isStopped = false;
    const stopping = work.stop().then(() => (isStopped = true));
    await pass(0);
    expect(isStopped).toBe(false);
    running[0]?.resolve();
    await stopping;
    work.ask('valley');
    await pass(60_000);
    expect(begun).toEqual(['mountain']);
  });
});
