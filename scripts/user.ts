import os from 'node:os';

import { createUserStore } from '../src/accounts/account-store.ts';
import { type Accounts, createAccounts } from '../src/accounts/accounts.ts';
import { createFactorStore } from '../src/accounts/factors/factor-store.ts';
import { createPasswords } from '../src/accounts/passwords.ts';
import { createSessionStore } from '../src/accounts/session-store.ts';
import { auditTrail } from '../src/audit/audit-log.ts';
import { silentLog } from '../src/db/outage.ts';
import type { ProductDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { systemClock as clock } from '../src/process/in-time.ts';
import { askPassword } from './ask-password.ts';
import { runWithDatabase } from './run-with-database.ts';
import { readUserCommand, usage, type UserCommand } from './user-command.ts';

const called = { admin: 'an admin', treasurer: 'a treasurer', operator: 'an operator' } as const;

/** The commands that change an existing account; each returns the sentence to print. */
const changes: Readonly<
  Record<
    Exclude<UserCommand['name'], 'list' | 'add' | 'set-rights'>,
    (accounts: Accounts, username: string) => Promise<string>
  >
> = {
  'set-password': async (accounts, username) => {
    await accounts.setPassword(username, await askPassword());
    return `${username} has a new password and is signed out everywhere.`;
  },
  'grant-admin': async (accounts, username) => {
    await accounts.setRights(username, 'admin');
    return `${username} is an admin.`;
  },
  'revoke-admin': async (accounts, username) => {
    await accounts.setRights(username, null);
    return `${username} is not an admin and is signed out everywhere.`;
  },
  'remove-factors': async (accounts, username) => {
    const removed = await accounts.removeFactors(username);
    if (removed === 0) return `${username} has no second factor: nothing was changed.`;
    return `${username} has no second factor any more: the password is enough to sign in.`;
  },
  remove: async (accounts, username) => {
    await accounts.remove(username);
    return `${username} is removed and signed out everywhere.`;
  },
};

/** `npm run user` (rulings R2): the accounts of the admin area, whether or not the product is running. */
const command = readUserCommand(process.argv.slice(2));
if (command === null) {
  console.error(usage);
  process.exitCode = 1;
} else {
  const work = async ({ database: db, pool }: ProductDatabase): Promise<string> => {
    await migrate(pool, silentLog);
    const stores = { users: createUserStore(db), sessions: createSessionStore(db), factors: createFactorStore(db) };
    const deps = { db, ...stores, passwords: createPasswords(), audit: auditTrail, clock };
    return run(createAccounts(deps, { kind: 'command', name: operatorName() }), command);
  };
  // The first account may be added before the first start.
  await runWithDatabase(work, { mayMakeOne: command.name === 'add' });
}

/** The user who typed the command; in a container that user may have no name. */
function operatorName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns the sentence to print. */
async function run(accounts: Accounts, command: UserCommand): Promise<string> {
  if (command.name === 'list') return listed(await accounts.list());
  if (command.name === 'add') {
    const { username, rights } = command;
    await accounts.add({ username, rights, password: await askPassword() });
    return `${username} can sign in${rights === null ? ', without admin access' : ` as ${called[rights]}`}.`;
  }
  if (command.name === 'set-rights') {
    await accounts.setRights(command.username, command.rights);
    return command.rights === null
      ? `${command.username} has no rights.`
      : `${command.username} is ${called[command.rights]}.`;
  }
  return changes[command.name](accounts, command.username);
}

function listed(users: Awaited<ReturnType<Accounts['list']>>): string {
  if (users.length === 0) return 'There are no accounts yet: npm run user -- add <name> --admin makes the first one.';
  const width = Math.max(...users.map(({ username }) => username.length));
  const line = ({ username, rights, createdAt }: (typeof users)[number]): string =>
    `${username.padEnd(width)}  ${(rights ?? 'user').padEnd('treasurer'.length)}  since ${createdAt.toISOString().slice(0, 10)}`;
  return users.map(line).join('\n');
}
