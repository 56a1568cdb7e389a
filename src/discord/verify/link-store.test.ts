import { expect, it } from 'vitest';

import { createLinkTokens } from './link-store.ts';

const tokens = createLinkTokens('a secret of this test, of 32 characters');
const others = createLinkTokens('another secret, of as many characters');

it('the secret of a link is 32 bytes and never repeats', () => {
  const made = Array.from({ length: 1_000 }, () => tokens.newToken());
  expect(new Set(made).size).toBe(made.length);
  expect(made.filter((token) => Buffer.from(token, 'base64url').length !== 32)).toEqual([]);
  // Each byte varies too: in a thousand tokens each of its 256 values comes about four times.
  for (let byte = 0; byte < 32; byte += 1) {
    expect(new Set(made.map((token) => Buffer.from(token, 'base64url')[byte])).size).toBeGreaterThan(200);
  }
});

it('only this installation can make the stored hash of a link and the receipt for its signer', () => {
  const token = tokens.newToken();
  expect(tokens.hashOf(token)).toEqual(tokens.hashOf(token));
  expect(tokens.hashOf(token)).not.toEqual(others.hashOf(token));
  const receipt = tokens.receiptOf(token);
  expect(tokens.isReceiptOf(token, receipt)).toBe(true);
  for (const wrong of [
    others.receiptOf(token),
    tokens.receiptOf(tokens.newToken()),
    tokens.hashOf(token).toString('base64url'),
    token,
    '',
  ]) {
    expect(tokens.isReceiptOf(token, wrong)).toBe(false);
  }
});
