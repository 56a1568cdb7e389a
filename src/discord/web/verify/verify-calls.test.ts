import { expect, test } from 'vitest';
import { ApiError } from '../../../ui/api/api-client.ts';
import { roleMayFollow } from './verify-calls.ts';

const onItsWay = { outcome: 'role-coming', receipt: 'R', isGiven: false, error: null } as const;

test.each(['role-coming', 'unknown', null] as const)('after the outcome %s the role may follow', (outcome) => {
  expect(roleMayFollow({ ...onItsWay, outcome })).toBe(true);
});

test.each(['not-holding', 'not-set-up', 'bot-off'] as const)('after the outcome %s no role follows', (outcome) => {
  expect(roleMayFollow({ ...onItsWay, outcome })).toBe(false);
});

test('a role that was given does not follow again, and without a receipt nothing can be asked', () => {
  expect(roleMayFollow({ ...onItsWay, isGiven: true })).toBe(false);
  expect(roleMayFollow({ ...onItsWay, receipt: null })).toBe(false);
});

test('a failed call is tried again, unless it says that the link is over', () => {
  expect(roleMayFollow({ ...onItsWay, error: new ApiError(503, 'Service Unavailable', '') })).toBe(true);
  expect(roleMayFollow({ ...onItsWay, error: new ApiError(410, 'Gone', '') })).toBe(false);
});
