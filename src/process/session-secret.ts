import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Refused, Unavailable } from '../shared/failure.ts';

const shortestLength = 32;

/**
 * Rulings R1: without SESSION_SECRET one is made at the first start and kept in DATA_DIR, beside the embedded database, readable
 * only by its owner. Call it while holding the database's folder, so that no other copy makes one too. Throws Unavailable
 * `data-dir-unwritable` or Refused `session-secret-damaged`, each with a sentence that says what to do.
 */
export async function storedSessionSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'session-secret');
  try {
    return await readSecret(file);
  } catch (error) {
    if (error instanceof Refused || codeOf(error) === 'ENOSPC') throw error;
    const message = `DATA_DIR (${dataDir}) cannot be written: give this user the right to write there, or set DATA_DIR to another folder.`;
    throw new Unavailable('data-dir-unwritable', message, error);
  }
}

async function readSecret(file: string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (stored === null) return makeSecret(file);
  if (stored.trim().length >= shortestLength) return stored.trim();
  throw new Refused(
    'session-secret-damaged',
    `${file} is damaged: put back a copy of it if you have one. Otherwise delete it and start again: everyone has to sign in again, and authenticator apps have to be set up anew.`,
  );
}

async function makeSecret(file: string): Promise<string> {
  const secret = randomBytes(48).toString('base64url');
  const draft = `${file}.draft`;
  await writeFile(draft, secret, { mode: 0o600, flush: true });
  await rename(draft, file);
  return secret;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
