import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile, open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { Refused, Unavailable } from '../shared/failure.ts';

const fileName = 'session-secret';
const shortestLength = 32;

/**
 * Rulings R1: without SESSION_SECRET one is made at the first start and kept in DATA_DIR, beside the embedded database, readable
 * by its owner only. `linkFile` is the file system's. Throws Unavailable `data-dir-unwritable` or Refused
 * `session-secret-damaged`, each one sentence that says what to do.
 */
export async function keptSessionSecret(dataDir: string, linkFile?: typeof link): Promise<string> {
  const file = join(dataDir, fileName);
  const draft = `${file}.${randomUUID()}`;
  try {
    if (await exists(file)) return await readSecret(file, dataDir);
    await writeFile(draft, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
    // Whole or not at all, and only the first of two starts at once; the other reads what that one wrote.
    await giveName(draft, file, linkFile);
  } catch (error) {
    if (error instanceof Refused || codeOf(error) === 'ENOSPC') throw error;
    if (codeOf(error) !== 'EEXIST') throw unwritable(dataDir, error);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
  return readSecret(file, dataDir);
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

async function readSecret(file: string, dataDir: string): Promise<string> {
  const secret = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unwritable(dataDir, error);
  });
  if (secret.trim().length >= shortestLength) return secret.trim();
  throw new Refused(
    'session-secret-damaged',
    `${file} is damaged: delete it and start again (everybody signs in anew).`,
  );
}

const unwritable = (dataDir: string, cause: unknown): Unavailable =>
  new Unavailable(
    'data-dir-unwritable',
    `DATA_DIR (${dataDir}) cannot be written: give this user the right to write there, or set DATA_DIR to another folder.`,
    cause,
  );

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** What exFAT, network shares and file systems of user space answer when asked for a second name of a file (link(2)). */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Gives a whole file its name; its draft's name may stay beside it. Throws EEXIST, and leaves what is there, where the name is
 * taken. `linkFile` is the file system's.
 */
export async function giveName(draft: string, file: string, linkFile: typeof link = link): Promise<void> {
  try {
    await linkFile(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && noLinks.has(String(error.code)))) throw error;
    await takeName(draft, file);
  }
}

/** A rename overwrites: the name is taken first by an empty file, so that no other file is overwritten. */
async function takeName(draft: string, file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close();
  try {
    await rename(draft, file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}
