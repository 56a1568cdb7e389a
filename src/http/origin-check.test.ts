import { expect, test } from 'vitest';

import { createOriginCheck } from './client.ts';

const isOwn = (publicUrl: string, origin: string): boolean => createOriginCheck(publicUrl)({ origin });

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'rulings R2: on this machine, %s is the same origin under each of its names',
  (origin) => {
    expect(isOwn('http://localhost:3000', origin)).toBe(true);
    expect(isOwn('http://127.0.0.1:3000/', origin)).toBe(true);
  },
);

test.each([
  'http://localhost:3001',
  'http://localhost',
  'https://localhost:3000',
  'http://localhost.evil.example:3000',
  'http://10.0.0.1:3000',
  'null',
  '',
])('any other origin on this machine or near it is foreign: %j', (origin) => {
  expect(isOwn('http://localhost:3000', origin)).toBe(false);
});

test('a page on the visitor’s own machine is foreign to a public site', () => {
  expect(isOwn('https://rocks.example', 'https://localhost')).toBe(false);
});
