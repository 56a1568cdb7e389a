import { toBase58 } from '@mysten/sui/utils';
import { expect, test } from 'vitest';
import { transactionDigest } from './transaction-routes.ts';

test('every 32 bytes are a digest in base58, whatever they begin with, and no other text is', () => {
  for (let zeros = 0; zeros <= 32; zeros += 1) {
    const digest = toBase58(new Uint8Array(32).fill(1, zeros));
    expect(transactionDigest.parse(digest)).toBe(digest);
  }
  for (const text of ['', '0x12', '1'.repeat(31), '1'.repeat(45), '0'.repeat(44)])
    expect(transactionDigest.safeParse(text).error?.issues[0]?.message).toBe(
      'A digest has 32 to 44 letters and digits, as an explorer shows it.',
    );
});
