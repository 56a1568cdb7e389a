import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from './api-client.ts';
import { staleVersion } from './versioned-change.tsx';

const saved = { version: 4, name: 'Sui Rocks' };
const staleIn = (error: unknown) => staleVersion(error, z.object({ version: z.number(), name: z.string() }));
const refusal = (status: number, body: string): ApiError => new ApiError(status, 'Conflict', body);

describe('rulings R6: a stale save', () => {
  test('is a 409 that carries the version saved now', () => {
    const body = JSON.stringify({ message: 'm', code: 'stale', current: saved, yours: {} });
    expect(staleIn(refusal(409, body))).toEqual(saved);
  });

  test.each([
    ['a 409 for another reason', refusal(409, '{"message":"m","code":"chat-taken"}')],
    ['another status', refusal(400, JSON.stringify({ code: 'stale', current: saved }))],
    ['a body that is not JSON', refusal(409, '<html>')],
    ['a 409 without the saved version', refusal(409, '{"code":"stale"}')],
    ['an incomplete saved version', refusal(409, '{"code":"stale","current":{"name":"Sui Rocks"}}')],
    ['no answer at all', new TypeError('Failed to fetch')],
  ])('is not %s', (_, error) => {
    expect(staleIn(error)).toBeNull();
  });
});
