import type { Wallet } from '@mysten/wallet-standard';
import { expect, test } from 'vitest';

import { canSign } from './sui-wallets.ts';

const whole = {
  version: '1.0.0',
  name: 'A wallet',
  icon: 'data:image/png;base64,',
  chains: ['sui:mainnet'],
  accounts: [],
  features: { 'standard:connect': {}, 'sui:signPersonalMessage': {} },
};

test('a wallet that can sign for Sui is offered', () => {
  expect(canSign(whole as unknown as Wallet)).toBe(true);
});

test.each(['name', 'icon', 'chains', 'features'])('a wallet without %s is left out, and breaks nothing', (field) => {
  expect(canSign({ ...whole, [field]: undefined } as unknown as Wallet)).toBe(false);
});

test('a wallet whose chains are no texts is left out', () => {
  expect(canSign({ ...whole, chains: [null] } as unknown as Wallet)).toBe(false);
});
