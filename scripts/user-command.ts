import { parseArgs } from 'node:util';

/** What `npm run user` is asked to do. */
export type UserCommand =
  | { readonly name: 'add'; readonly username: string; readonly isAdmin: boolean }
  | { readonly name: 'set-password' | 'grant-admin' | 'revoke-admin' | 'remove'; readonly username: string }
  | { readonly name: 'list' };

export const usage = `Use one of:
  npm run user -- add <name> [--admin]    make an account
  npm run user -- set-password <name>     also ends all of its sessions
  npm run user -- grant-admin <name>
  npm run user -- revoke-admin <name>
  npm run user -- remove <name>
  npm run user -- list
The password is asked for, or read from the first line of a pipe. DATABASE_URL or DATA_DIR say where the accounts are.`;

/** null: not understood. Passwords are no arguments: other users of a machine can read those. */
export function readUserCommand(args: readonly string[]): UserCommand | null {
  const parsed = parse(args);
  if (parsed === null) return null;
  const [name, username, ...rest] = parsed.positionals;
  if (rest.length > 0 || (parsed.isAdmin && name !== 'add')) return null;
  if (name === 'list') return username === undefined ? { name } : null;
  if (username === undefined) return null;
  if (name === 'add') return { name, username, isAdmin: parsed.isAdmin };
  const isKnown = name === 'set-password' || name === 'grant-admin' || name === 'revoke-admin' || name === 'remove';
  return isKnown ? { name, username } : null;
}

function parse(args: readonly string[]): { readonly positionals: readonly string[]; readonly isAdmin: boolean } | null {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { admin: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    return { positionals, isAdmin: values.admin };
  } catch {
    return null;
  }
}
