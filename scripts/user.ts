import os from 'node:os';

import type { AuditTables } from '../src/audit/adapters/tables.ts';
import { createAudit } from '../src/audit/audit.ts';
import { type Accounts, createAccounts } from '../src/auth/accounts.ts';
import { createArgon2Passwords } from '../src/auth/adapters/argon2-passwords.ts';
import { createSessionStore } from '../src/auth/adapters/session-store.ts';
import type { AuthTables } from '../src/auth/adapters/tables.ts';
import { createTransactions } from '../src/auth/adapters/transactions.ts';
import { createUserStore } from '../src/auth/adapters/user-store.ts';
import { readDatabasePlace } from '../src/config.ts';
import { silentLog } from '../src/platform/database/database-log.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { createSharedDatabase } from '../src/platform/database/shared-database.ts';
import { systemClock as clock } from '../src/platform/system-clock.ts';
import { Invalid, Refused, Unavailable } from '../src/shared/failure.ts';
import { askPassword } from './ask-password.ts';
import { readUserCommand, usage, type UserCommand } from './user-command.ts';

/** `npm run user` (rulings R2): the accounts of the admin area, whether the product runs or not. */
const command = readUserCommand(process.argv.slice(2));
const place = readDatabasePlace();
if (command === null) fail(usage);
else if (!place.ok) fail(place.message);
else {
  try {
    await withAccounts(place.config, async (accounts) => console.log(await run(accounts, command)));
  } catch (error) {
    const isOurs = error instanceof Invalid || error instanceof Refused || error instanceof Unavailable;
    fail(isOurs ? error.message : `That did not work: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

async function withAccounts(
  { databaseUrl, dataDir }: { readonly databaseUrl: string | null; readonly dataDir: string },
  work: (accounts: Accounts) => Promise<void>,
): Promise<void> {
  const options = { url: databaseUrl, dataDir, log: silentLog };
  const { db, pool, stop } = await createSharedDatabase<AuthTables & AuditTables>(options);
  try {
    await migrate(pool, silentLog);
    const stores = { users: createUserStore(db), sessions: createSessionStore(db), passwords: createArgon2Passwords() };
    const audit = createAudit({ db }).trail;
    const deps = { ...stores, transactions: createTransactions(db), audit, clock };
    await work(createAccounts(deps, { kind: 'command', name: operatorName() }));
  } finally {
    await stop();
  }
}

/** Who typed the command. In a container that user may have no name. */
function operatorName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** What to say when it is done. */
async function run(accounts: Accounts, asked: UserCommand): Promise<string> {
  switch (asked.name) {
    case 'list':
      return listed(await accounts.list());
    case 'add': {
      const { username, isAdmin } = asked;
      const user = await accounts.add({ username, isAdmin, password: await askPassword() });
      return isAdmin
        ? `${user.username} can sign in as an admin.`
        : `${user.username} can sign in, without admin access.`;
    }
    case 'set-password':
      await accounts.setPassword(asked.username, await askPassword());
      return `${asked.username} has a new password and is signed out everywhere.`;
    case 'grant-admin':
      await accounts.setAdmin(asked.username, true);
      return `${asked.username} is an admin.`;
    case 'revoke-admin':
      await accounts.setAdmin(asked.username, false);
      return `${asked.username} is no admin and is signed out everywhere.`;
    case 'remove':
      await accounts.remove(asked.username);
      return `${asked.username} is removed and signed out everywhere.`;
  }
}

function listed(users: Awaited<ReturnType<Accounts['list']>>): string {
  if (users.length === 0) return 'There are no accounts yet: npm run user -- add <name> --admin makes the first one.';
  const width = Math.max(...users.map(({ username }) => username.length));
  const line = ({ username, isAdmin, createdAt }: (typeof users)[number]): string =>
    `${username.padEnd(width)}  ${isAdmin ? 'admin' : 'user '}  since ${createdAt.toISOString().slice(0, 10)}`;
  return users.map(line).join('\n');
}
