import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { addUser, type NewUser } from '../../support/user-command.ts';
import { logInByForm } from './admin.ts';
import { callAs } from './telegram-groups.ts';

export const own = '/admin?tab=accounts';
export const sessions = `${own}&view=sessions`;
export const all = `${own}&view=all`;
export const password = 'four-words-of-stone';

export const dialog = (page: Page) => page.getByRole('dialog');
export const asking = (page: Page) => page.getByRole('alertdialog');

/** The code that an authenticator app shows now, or `steps` times 30 seconds from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Every test has its own account: a second factor would disturb the next test. */
let count = 0;
export const newAccount = async (dataDir: string, rights: NewUser['rights']): Promise<NewUser> => {
  count += 1;
  const user = { username: `Bone ${count} ${Date.now() % 100_000}`, password };
  await addUser({ DATA_DIR: dataDir }, { ...user, ...(rights === undefined ? {} : { rights }) });
  return user;
};
export const logIn = async (page: Page, user: NewUser): Promise<void> => {
  await page.goto('/auth');
  await logInByForm(page, user);
};

/** An authenticator of the device that confirms, or refuses, without asking anyone. */
export const withAuthenticator = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    isRefused: async (isRefused: boolean): Promise<void> => {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused });
    },
  };
};

/** As if ten minutes had passed: these calls are refused until the second factor is given. */
export async function tenMinutesLater(page: Page, method: string, calls: string): Promise<void> {
  let isConfirmed = false;
  page.on('response', (answer) => {
    if (answer.url().endsWith('/api/auth/confirm') && answer.ok()) isConfirmed = true;
  });
  const message = 'This needs your second factor again: confirm that it is you.';
  await page.route(calls, (route) =>
    isConfirmed || route.request().method() !== method
      ? route.fallback()
      : route.fulfill({ status: 403, json: { message, code: 'second-factor-required' } }),
  );
}

/** Adds an authenticator app in the session of that page, with the calls of the tab; returns its secret and the recovery codes. */
export const addAppTo = async (page: Page) => {
  const begun = await callAs(page, 'POST', '/api/auth/authenticators/begin', { password });
  const { secret } = begun as { secret: string };
  const added = await callAs(page, 'POST', '/api/auth/authenticators', { name: 'My phone', code: codeOf(secret) });
  return { secret, recoveryCodes: (added as { recoveryCodes: readonly string[] }).recoveryCodes };
};
