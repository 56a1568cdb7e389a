import { TOTP } from 'otpauth';

import type { Browser } from './running-auth.ts';
import type { SoftwarePasskey } from './software-passkey.ts';

/** An authenticator app that was set up. */
export interface SetUpApp {
  readonly id: string;
  /** The code that it shows at that time. */
  readonly codeAt: (at: Date) => string;
  /** null: the account already had some. */
  readonly recoveryCodes: readonly string[] | null;
}

type Answer = Awaited<ReturnType<Browser['ask']>>;

const dataOf = ({ status, text }: Answer): unknown => {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return (JSON.parse(text) as { data: unknown }).data;
};

interface Added {
  readonly factor: { readonly id: string };
  readonly recoveryCodes: readonly string[] | null;
}

export const appOf = (secret: string) => (at: Date) =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: at.getTime() });

/** Adds an app with the calls of the tab 'Accounts', as a signed-in user with this password. */
export async function addApp(browser: Browser, password: string, at: Date, name = 'My phone'): Promise<SetUpApp> {
  const begun = await browser.ask('/api/auth/authenticators/begin', { method: 'POST', json: { password } });
  const codeAt = appOf((dataOf(begun) as { secret: string }).secret);
  const json = { name, code: codeAt(at) };
  const added = dataOf(await browser.ask('/api/auth/authenticators', { method: 'POST', json })) as Added;
  return { id: added.factor.id, codeAt, recoveryCodes: added.recoveryCodes };
}

/** Returns the challenge that the new passkey must sign. */
export async function beginPasskey(browser: Browser, password: string): Promise<string> {
  const begun = await browser.ask('/api/auth/passkeys/begin', { method: 'POST', json: { password } });
  return (dataOf(begun) as { challenge: string }).challenge;
}

export async function addPasskey(
  browser: Browser,
  password: string,
  passkey: SoftwarePasskey,
  name = 'My key',
): Promise<Added> {
  const json = { name, response: passkey.create(await beginPasskey(browser, password)) };
  return dataOf(await browser.ask('/api/auth/passkeys', { method: 'POST', json })) as Added;
}

/** The second step of a login. */
export const giveFactor = (browser: Browser, json: object): Promise<Answer> =>
  browser.ask('/api/auth/second-factor', { method: 'POST', json });

/** Gives the second factor again: begins and answers; `proof` may depend on the question. */
export async function confirm(browser: Browser, proof: (question: AskedFor) => object): Promise<Answer> {
  const question = dataOf(await browser.ask('/api/auth/confirm/begin', { method: 'POST' })) as AskedFor;
  return browser.ask('/api/auth/confirm', { method: 'POST', json: proof(question) });
}

export interface AskedFor {
  readonly passkey: {
    readonly challenge: string;
    readonly allowCredentials: readonly { readonly id: string }[];
  } | null;
  readonly code: boolean;
  readonly expiresAt: string;
}
