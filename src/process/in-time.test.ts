import { expect, test } from 'vitest';

import { withTimeout, runAfter, pause, untilAborted, withDeadline } from './in-time.ts';

const never = new Promise<string>(() => {});

test('work that ends in time gives its result or its failure', async () => {
  expect(await withTimeout(Promise.resolve('done'), 60_000, () => 'late')).toBe('done');
  await expect(withTimeout(Promise.reject(new Error('failed')), 60_000, () => 'late')).rejects.toThrow('failed');
});

test('work that takes too long gives the late result or the late failure', async () => {
  expect(await withTimeout(never, 1, () => 'late')).toBe('late');
  const refuse = (): never => {
    throw new Error('too late');
  };
  await expect(withTimeout(never, 1, refuse)).rejects.toThrow('too late');
});

test('a wait ends with the reason of its signal, even if that aborted before', async () => {
  const stop = new AbortController();
  const waiting = untilAborted(never, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(untilAborted(never, stop.signal)).rejects.toThrow('stopped');
  expect(await untilAborted(Promise.resolve('done'), new AbortController().signal)).toBe('done');
});

test('a timer that is due in months does not run at once', async () => {
  const { promise: soon, resolve } = Promise.withResolvers<void>();
  const ran: string[] = [];
  const cancel = runAfter(2 ** 31, () => ran.push('in months'));
  runAfter(20, resolve);
  await soon;
  expect(ran).toEqual([]);
  cancel();
});

test('a pause ends when its signal aborts, even if that aborted before', async () => {
  const stop = new AbortController();
  const pausing = pause(3_600_000, stop.signal);
  stop.abort();
  await pausing;
  await pause(3_600_000, stop.signal);
  await pause(1, new AbortController().signal);
});

test('work with a deadline ends when it is done, when time is up, or when it is stopped', async () => {
  const stop = new AbortController();
  const deadline = { stop: stop.signal, late: () => new Error('too late'), stopped: () => new Error('stopped') };
  let seen: AbortSignal | undefined;
  const work = (signal: AbortSignal): Promise<string> => {
    seen = signal;
    return Promise.resolve('done');
  };
  expect(await withDeadline(work, { ...deadline, withinMs: 60_000 })).toBe('done');
  expect(seen?.aborted).toBe(true);
  await expect(withDeadline(() => never, { ...deadline, withinMs: 1 })).rejects.toThrow('too late');
  const working = withDeadline(() => never, { ...deadline, withinMs: 60_000 });
  stop.abort();
  await expect(working).rejects.toThrow('stopped');
});
