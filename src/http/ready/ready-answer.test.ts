import { describe, expect, test } from 'vitest';

import { type ReadyAnswer, createLazyAnswer, makeReadyJson } from './ready-answer.ts';

/** Each call of `make` waits until the test ends it. */
const makings = () => {
  const ends: PromiseWithResolvers<ReadyAnswer>[] = [];
  const make = (): Promise<ReadyAnswer> => {
    const end = Promise.withResolvers<ReadyAnswer>();
    ends.push(end);
    return end.promise;
  };
  return { ends, lazy: createLazyAnswer(make) };
};

const [first, second] = [makeReadyJson('first'), makeReadyJson('second')];

describe('a body that is made on demand', () => {
  test('is made once for all simultaneous requests', async () => {
    const { ends, lazy } = makings();
    expect(lazy.ready()).toBeUndefined();
    expect(ends).toHaveLength(0);
    const asked = [lazy.whenReady(), lazy.whenReady(), lazy.whenReady()];
    ends[0]?.resolve(first);
    expect(await Promise.all(asked)).toEqual([first, first, first]);
    expect(ends).toHaveLength(1);
    expect(lazy.ready()).toBe(first);
  });

  test('is made again after a change, and never twice at the same time', async () => {
    const { ends, lazy } = makings();
    const asked = lazy.whenReady();
    lazy.forget();
    const askedAfterChange = lazy.whenReady();
    expect(ends).toHaveLength(1);
    ends[0]?.resolve(first);
    expect(await Promise.all([asked, askedAfterChange])).toEqual([first, first]);
    expect(lazy.ready()).toBeUndefined();
    const askedLater = lazy.whenReady();
    ends[1]?.resolve(second);
    expect(await askedLater).toBe(second);
    lazy.forget();
    expect(lazy.ready()).toBeUndefined();
  });

  test('that could not be made is tried again at the next request', async () => {
    const { ends, lazy } = makings();
    const asked = lazy.whenReady();
    ends[0]?.reject(new Error('no database'));
    await expect(asked).rejects.toThrow('no database');
    const again = lazy.whenReady();
    ends[1]?.resolve(second);
    expect(await again).toBe(second);
  });
});
