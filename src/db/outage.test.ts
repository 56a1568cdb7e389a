import { expect, test } from 'vitest';

import { answeredWithin, databaseOutage } from './outage.ts';

const failure = (message: string, facts: object = {}): Error => Object.assign(new Error(message), facts);

test.each([
  failure('the server is shutting down', { code: '57P01' }),
  failure('too many clients', { code: '53300' }),
  failure('deadlock detected', { code: '40P01' }),
  failure('cannot execute UPDATE in a read-only transaction', { code: '25006' }),
  failure('terminating connection due to idle-in-transaction timeout', { code: '25P03' }),
  failure('canceling statement due to lock timeout', { code: '55P03' }),
  failure('connect', { code: 'ECONNREFUSED', syscall: 'connect' }),
  failure('connect', { code: 'ENOENT', syscall: 'connect' }),
  failure('getaddrinfo EAI_AGAIN database', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }),
  failure('connect', { code: 'ENETUNREACH', syscall: 'connect' }),
  failure('Connection terminated unexpectedly'),
  failure('timeout exceeded when trying to connect'),
  failure('Query read timeout'),
])('%o is an outage that may soon be over', (error) => {
  expect(databaseOutage(error)).toMatchObject({ reason: 'database-unavailable', cause: error });
});

test.each([
  failure('duplicate key', { code: '23505' }),
  failure('current transaction is aborted', { code: '25P02' }),
  failure('syntax error', { code: '42601' }),
  failure('open', { code: 'ENOENT', syscall: 'open' }),
  failure('Something else'),
  'no error at all',
])('%o is our own fault', (error) => {
  expect(databaseOutage(error)).toBeNull();
});

test('an answer or a failure in time is passed on, and a late one is an outage', async () => {
  expect(await answeredWithin(Promise.resolve(7), 1_000)).toBe(7);
  await expect(answeredWithin(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
  await expect(answeredWithin(new Promise(() => {}), 5)).rejects.toThrow('does not answer');
});
