import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { prepareDataDir } from '@sui-rocks/embedded-postgres/data-folder';

/** `--data-dir <folder>`; the product's own `DATA_DIR` is never touched. Anything else ends the process with a sentence. */
export function dataDirArgument(otherwise: string): string {
  try {
    const { values } = parseArgs({ options: { 'data-dir': { type: 'string', default: otherwise } } });
    return values['data-dir'];
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\nUsage: [--data-dir <folder>]`);
    return process.exit(1);
  }
}

/** Made once and kept for its owner alone, so that the password shown yesterday still works. */
export async function keptAdminPassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'admin-password');
  await prepareDataDir(dataDir);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim() !== '') return kept.trim();
  const password = randomBytes(9).toString('base64url');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}
