import { appOf } from '../support/second-factors.ts';
import { softwarePasskey } from '../support/software-passkey.ts';
import type { CallWell } from './answered-well.ts';
import { adminPassword as password, type AttackWorld, spareAccount } from './attack-world.ts';

interface Listed {
  readonly id: string;
  readonly username: string;
}
interface Added {
  readonly factor: { readonly id: string };
  readonly recoveryCodes: readonly string[] | null;
}

/** Makes every call of the tab 'Accounts', and both steps of a login. At the end no second factor is left. */
export async function callAccounts(world: AttackWorld, call: CallWell): Promise<void> {
  const passkey = softwarePasskey({ origin: world.product.url, rpId: 'localhost' });
  const made = await call<{ challenge: string }>('POST', '/api/auth/passkeys/begin', { body: { password } });
  const response = passkey.create(made.challenge);
  const key = await call<Added>('POST', '/api/auth/passkeys', { body: { name: 'My <key>', response } });
  for (const code of key.recoveryCodes ?? []) world.learn('recoveryCode', code);
  const { secret } = await call<{ secret: string }>('POST', '/api/auth/authenticators/begin', { body: { password } });
  const codeAt = appOf(secret);
  const code = codeAt(new Date());
  const app = await call<Added>('POST', '/api/auth/authenticators', { body: { name: 'My "phone"', code } });

  await call('POST', '/api/auth/login', { body: { username: 'chief', password } });
  const next = codeAt(new Date(Date.now() + 30_000));
  await call('POST', '/api/auth/second-factor', { body: { kind: 'code', code: next } });
  const asked = await call<{ passkey: { challenge: string } }>('POST', '/api/auth/confirm/begin');
  await call('POST', '/api/auth/confirm', {
    body: { kind: 'passkey', response: passkey.get(asked.passkey.challenge) },
  });

  await callOwn(world, call);
  await callOthers(world, call);
  for (const { factor } of [app, key]) {
    await call('DELETE', '/api/auth/factors/{factorId}', { params: { factorId: factor.id }, body: { password } });
  }
}

async function callOwn(world: AttackWorld, call: CallWell): Promise<void> {
  const { recoveryCodes } = await call<{ recoveryCodes: readonly string[] }>('POST', '/api/auth/recovery-codes');
  for (const code of recoveryCodes) world.learn('recoveryCode', code);
  await call('DELETE', '/api/auth/sessions');
  // A session in another browser.
  await world.pool.query(
    `insert into sessions (token_hash, user_id, created_at, last_seen_at, idle_expires_at, expires_at)
     select sha256('another'), id, now(), now(), now() + interval '1 hour', now() + interval '1 hour'
     from users where username = 'chief'`,
  );
  const { sessions } = await call<{ sessions: readonly { id: string; isThisOne: boolean }[] }>(
    'GET',
    '/api/auth/account',
  );
  const other = sessions.find(({ isThisOne }) => !isThisOne);
  await call('DELETE', '/api/auth/sessions/{sessionId}', { params: { sessionId: other?.id ?? '' } });
}

async function callOthers(world: AttackWorld, call: CallWell): Promise<void> {
  const all = await call<readonly Listed[]>('GET', '/api/admin/accounts');
  const accountId = all.find(({ username }) => username === spareAccount.username)?.id ?? '';
  const params = { accountId };
  await call('PUT', '/api/admin/accounts/{accountId}/rights', { params, body: { rights: 'treasurer' } });
  await call('DELETE', '/api/admin/accounts/{accountId}/sessions', { params });
  const { rows } = await world.pool.query<{ id: string }>(
    `insert into second_factors (user_id, kind, name, created_at, sealed_secret, last_step)
     values ($1, 'authenticator', 'Lost', now(), '', 0) returning id`,
    [accountId],
  );
  await call('DELETE', '/api/admin/accounts/{accountId}/factors/{factorId}', {
    params: { ...params, factorId: String(rows[0]?.id) },
  });
}
