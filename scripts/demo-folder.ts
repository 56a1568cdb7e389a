import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { prepareDataDir } from '@sui-rocks/embedded-postgres/data-folder';

const usage = 'Usage: [--data-dir <folder>] [--multisig: both owners of the treasury must sign]';

/**
 * `--data-dir <folder>` and `--multisig`; the product's own `DATA_DIR` is never touched. `--help` and any other argument end the
 * process.
 */
export function demoArguments(otherwise: string): { readonly dataDir: string; readonly isMultisig: boolean } {
  try {
    const options = {
      'data-dir': { type: 'string', default: otherwise },
      multisig: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    } as const;
    const { values } = parseArgs({ options });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    return { dataDir: values['data-dir'], isMultisig: values.multisig };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return process.exit(1);
  }
}

/** Created once and readable only by its owner, so yesterday's password still works. */
export async function keptAdminPassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'admin-password');
  await prepareDataDir(dataDir);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim() !== '') return kept.trim();
  const password = randomBytes(9).toString('base64url');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}
