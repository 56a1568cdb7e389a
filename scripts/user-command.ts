import { parseArgs } from 'node:util';

import { allRights, type Rights } from '../src/shared/rights.ts';

/** A parsed `npm run user` command. */
export type UserCommand =
  | { readonly name: 'add' | 'set-rights'; readonly username: string; readonly rights: Rights | null }
  | {
      readonly name: 'set-password' | 'grant-admin' | 'revoke-admin' | 'remove-factors' | 'remove';
      readonly username: string;
    }
  | { readonly name: 'list' };

export const usage = `Use one of:
  npm run user -- add <name> [--admin]    add an account; or with --rights admin|treasurer|operator
  npm run user -- set-password <name>     also ends all of its sessions
  npm run user -- set-rights <name> --rights admin|treasurer|operator
  npm run user -- grant-admin <name>      the same with --rights admin
  npm run user -- revoke-admin <name>     takes all rights: no access to the admin area
  npm run user -- remove-factors <name>   for a lost phone: the password is enough again
  npm run user -- remove <name>
  npm run user -- list
The password is asked for, or read from the first line of a pipe. DATABASE_URL or DATA_DIR says where the accounts are.`;

const plainNames = ['set-password', 'grant-admin', 'revoke-admin', 'remove-factors', 'remove'] as const;

/** null: not understood. A password is never an argument: other users of the machine could read it. */
export function readUserCommand(args: readonly string[]): UserCommand | null {
  const parsed = parse(args);
  if (parsed === null) return null;
  const { rights } = parsed;
  const [name, username, ...rest] = parsed.positionals;
  if (rest.length > 0) return null;
  if (name === 'list') return username === undefined && rights === null ? { name } : null;
  if (username === undefined) return null;
  if (name === 'add') return { name, username, rights };
  if (name === 'set-rights') return rights === null ? null : { name, username, rights };
  if (rights !== null) return null;
  const plain = plainNames.find((each) => each === name);
  return plain === undefined ? null : { name: plain, username };
}

interface Parsed {
  readonly positionals: readonly string[];
  /** null: none are named. */
  readonly rights: Rights | null;
}

function parse(args: readonly string[]): Parsed | null {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { admin: { type: 'boolean', default: false }, rights: { type: 'string' } },
      allowPositionals: true,
    });
    if (values.rights === undefined) return { positionals, rights: values.admin ? 'admin' : null };
    // `--admin --rights operator` contradicts itself.
    if (values.admin) return null;
    const rights = allRights.find((each) => each === values.rights);
    return rights === undefined ? null : { positionals, rights };
  } catch {
    return null;
  }
}
