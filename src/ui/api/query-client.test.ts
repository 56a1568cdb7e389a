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

test('a call that changes something fails at once without a network, in place of waiting for it', () => {
  expect(createQueryClient().getDefaultOptions().mutations?.networkMode).toBe('always');
});
