import { expect, test } from 'vitest';
import { createQueryClient } from './use-answer.ts';

test('specification 7: no refetch interval, no refetch on focus, never stale, no retries', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({
    refetchInterval: false,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    retry: false,
  });
  expect(mutations).toMatchObject({ retry: false });
});

test('without a network a call fails at once instead of waiting, and queries are repeated when the network is back', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(mutations).toMatchObject({ networkMode: 'always' });
  expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true });
});
