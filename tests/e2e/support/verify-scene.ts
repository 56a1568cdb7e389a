import type { Page } from '@playwright/test';
import { walletAddress } from './sui-wallet.ts';

/** A link and its outcome: the answers to every call of the page, unless a test sets others. */
export const token = 'A'.repeat(43);
export const message = 'Sui Rocks: link this wallet to a Discord account.\n\nNonce: abc';
export const link = {
  guildName: 'Rock Mountain',
  memberName: 'Gwen',
  nftName: 'Sui Rocks',
  network: 'mainnet',
  /** Counted from when it is read: the worker may have started minutes ago. */
  get expiresAt(): string {
    return new Date(Date.now() + 12 * 60_000 - 5_000).toISOString();
  },
};
export const rule = 'The role "Rock Holder" is for those who hold at least 1 rock in any linked wallet.';
export const found = '3 rocks: 1 in your wallet, 2 in kiosks, 1 of them listed.';
export const outcome = {
  wallet: walletAddress(),
  outcome: 'role-coming',
  sentences: [rule, found, 'The role is on its way.'],
  receipt: 'R'.repeat(43),
};
export const given = { isGiven: true, outcome: 'role-coming', sentences: [rule, found, 'The role is given.'] };

interface Answers {
  readonly link?: readonly [number, object];
  readonly message?: readonly [number, object];
  readonly signature?: readonly [number, object];
}

export const refusal = (code: string, sentence: string) => ({ code, message: sentence });

/** Opens the page of the link. */
export async function open(
  page: Page,
  answers: Answers = {},
): Promise<{ signed: { wallet: string; signature: string }[] }> {
  const signed: { wallet: string; signature: string }[] = [];
  const answerOf = (name: keyof Answers, good: object) => {
    const [status, json] = answers[name] ?? [200, { data: good }];
    return { status, json };
  };
  await page.route(`**/api/verify/${token}`, (route) => route.fulfill(answerOf('link', link)));
  await page.route('**/message', (route) => route.fulfill(answerOf('message', { message, expiresAt: link.expiresAt })));
  await page.route('**/signature', (route) => {
    signed.push(route.request().postDataJSON() as { wallet: string; signature: string });
    return route.fulfill(answerOf('signature', outcome));
  });
  await page.route('**/outcome', (route) => route.fulfill({ json: { data: given } }));
  await page.goto(`/verify/${token}`);
  return { signed };
}

export const chooseWallet = (page: Page) => page.getByRole('button', { name: 'Cave Wallet' }).click();
export const sign = (page: Page) => page.getByRole('button', { name: 'Sign in wallet' }).click();
/** The browser itself reports each answer of 400 and above. */
export const forgive = (complaints: string[]) => complaints.splice(0);
