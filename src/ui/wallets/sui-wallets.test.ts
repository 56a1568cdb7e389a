import type { Wallet } from '@mysten/wallet-standard';
import { describe, expect, test } from 'vitest';
import { connectWallet, hasFeature, signMessage, signTransaction, type SuiWallet } from './sui-wallets.tsx';

const whole = {
  version: '1.0.0',
  name: 'A wallet',
  icon: 'data:image/png;base64,',
  chains: ['sui:mainnet'],
  accounts: [],
  features: { 'standard:connect': {}, 'sui:signPersonalMessage': {} },
};

test('a wallet that can sign for Sui is offered', () => {
  expect(hasFeature(whole as unknown as Wallet, 'sui:signPersonalMessage')).toBe(true);
});

test.each(['name', 'icon', 'chains', 'features'])('a wallet without %s is left out, and breaks nothing', (field) => {
  expect(hasFeature({ ...whole, [field]: undefined } as unknown as Wallet, 'sui:signPersonalMessage')).toBe(false);
});

test('a wallet whose chains are not strings is left out', () => {
  expect(hasFeature({ ...whole, chains: [null] } as unknown as Wallet, 'sui:signPersonalMessage')).toBe(false);
});

const account = {
  address: `0x${'ab'.repeat(32)}`,
  publicKey: new Uint8Array(32),
  chains: ['sui:mainnet'],
  features: [],
} as const;

type Connect = SuiWallet['features']['standard:connect']['connect'];
type Sign = NonNullable<SuiWallet['features']['sui:signPersonalMessage']>['signPersonalMessage'];
type SignTransaction = NonNullable<SuiWallet['features']['sui:signTransaction']>['signTransaction'];

const walletWith = (parts: { connect?: Connect; sign?: Sign }): SuiWallet => ({
  version: '1.0.0',
  name: 'Cave Wallet',
  icon: 'data:image/svg+xml;base64,',
  chains: ['sui:mainnet'],
  accounts: [],
  features: {
    'standard:connect': { version: '1.0.0', connect: parts.connect ?? (async () => ({ accounts: [account] })) },
    'sui:signPersonalMessage': {
      version: '1.1.0',
      signPersonalMessage:
        parts.sign ?? (async ({ message }) => ({ bytes: Buffer.from(message).toString('base64'), signature: 'sig' })),
    },
  },
});

describe('connecting', () => {
  test('returns the accounts', async () => {
    expect(await connectWallet(walletWith({}))).toEqual({ ok: true, value: [account] });
  });

  test.each([
    [
      'says no',
      async () => Promise.reject(new Error('User rejected the request')),
      'You did not let Cave Wallet connect',
    ],
    ['says no by its code', async () => Promise.reject({ code: 4001 }), 'You did not let Cave Wallet connect'],
    [
      'says no in an object of its own',
      async () => Promise.reject({ code: -4005, message: 'User reject the request' }),
      'You did not let Cave Wallet connect',
    ],
    ['fails', async () => Promise.reject(new Error('locked')), 'it says: locked'],
    ['fails with an object of its own', async () => Promise.reject({ message: 'locked' }), 'it says: locked'],
    ['throws nonsense', async () => Promise.reject(undefined), 'could not connect. Unlock it'],
    ['has no account', async () => ({ accounts: [] }), 'shows no Sui account'],
    ['has an invalid account', async () => ({ accounts: [{ ...account, address: 'gwen' }] }), 'shows no Sui account'],
    [
      'has an account without a network',
      async () => ({ accounts: [{ ...account, chains: undefined }] }) as never,
      'shows no Sui account',
    ],
    [
      'labels an account with a number',
      async () => ({ accounts: [{ ...account, label: 7 }] }) as never,
      'shows no Sui account',
    ],
  ])('when a wallet %s, the visitor is told the next step', async (_what, connect, words) => {
    const answer = await connectWallet(walletWith({ connect }));
    expect(answer).toMatchObject({ ok: false });
    expect(answer.ok ? '' : answer.problem).toContain(words);
  });
});

describe('signing', () => {
  test('returns the signature of exactly this message', async () => {
    expect(await signMessage(walletWith({}), account, 'hello – rock')).toEqual({ ok: true, value: 'sig' });
  });

  test.each([
    ['says no', async () => Promise.reject(new Error('Request declined')), 'You did not sign'],
    ['fails', async () => Promise.reject(new Error('boom')), 'it says: boom'],
    ['signs another text', async () => ({ bytes: 'AAAA', signature: 'sig' }), 'another text'],
    ['gives no signature', async () => ({ bytes: '' }) as never, 'gave no signature'],
  ])('when a wallet %s, the visitor is told the next step', async (_what, sign, words) => {
    const answer = await signMessage(walletWith({ sign }), account, 'hello');
    expect(answer.ok ? '' : answer.problem).toContain(words);
  });

  test('the wallet gets the whole transaction, and only a signature of those bytes counts', async () => {
    const signing = (sign: SignTransaction) =>
      signTransaction(
        {
          ...walletWith({}),
          features: { ...walletWith({}).features, 'sui:signTransaction': { version: '2.0.0', signTransaction: sign } },
        },
        { account, network: 'mainnet', bytes: 'AAAA', json: '{}' },
      );
    const given = async ({ chain, transaction }: Parameters<SignTransaction>[0]) =>
      `${chain} ${await transaction.toJSON()}`;
    expect(await signing(async (input) => ({ bytes: 'AAAA', signature: await given(input) }))).toEqual({
      ok: true,
      value: 'sui:mainnet {}',
    });
    for (const bytes of ['AAAB', undefined]) {
      const other = await signing(async () => ({ bytes, signature: 'sig' }) as never);
      expect(other.ok ? '' : other.problem).toContain('signed another transaction');
    }
  });

  test("a wallet's own error text is shortened", async () => {
    const answer = await signMessage(
      walletWith({ sign: async () => Promise.reject(new Error('x'.repeat(999))) }),
      account,
      'm',
    );
    expect(answer.ok ? '' : answer.problem.length).toBeLessThan(320);
  });
});

describe('which wallets are offered', () => {
  test('to connect: Sui wallets that can connect', () => {
    const able = walletWith({});
    const connects = { 'standard:connect': able.features['standard:connect'] };
    expect(hasFeature({ ...able, features: connects }, 'standard:connect')).toBe(true);
    expect(hasFeature({ ...able, features: {} }, 'standard:connect')).toBe(false);
  });

  test('to sign: Sui wallets that can sign personal messages', () => {
    const able = walletWith({});
    expect(hasFeature(able, 'sui:signPersonalMessage')).toBe(true);
    expect(hasFeature({ ...able, chains: ['solana:mainnet'] }, 'sui:signPersonalMessage')).toBe(false);
    expect(
      hasFeature(
        { ...able, features: { 'standard:connect': able.features['standard:connect'] } },
        'sui:signPersonalMessage',
      ),
    ).toBe(false);
  });
});
