import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { Rights } from '../../src/shared/rights.ts';
import { childEnv } from './child.ts';

export interface NewUser {
  readonly username: string;
  readonly password: string;
  /** Left out: no access to the admin area. */
  readonly rights?: Rights;
}

/**
 * Runs `npm run user -- add <name>` beside the running product, to add an account. `place` says where the accounts are,
 * as the product's environment does.
 */
export async function addUser(place: Record<string, string>, { username, password, rights }: NewUser): Promise<void> {
  const named = rights === undefined ? [] : ['--rights', rights];
  const child = spawn(process.execPath, ['scripts/user.ts', 'add', username, ...named], {
    env: { ...childEnv, ...place },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdin.end(`${password}\n`);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The user command ended with ${code}: ${complaint}`);
}
