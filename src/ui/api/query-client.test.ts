import { expect, test } from 'vitest';
import { createQueryClient } from './query-client.ts';

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

test('a call without a network fails at once in place of waiting for it; what failed is read again when it is back', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(mutations).toMatchObject({ networkMode: 'always' });
  expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true });
});
