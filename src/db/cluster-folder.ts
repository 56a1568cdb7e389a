import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chown, constants, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { Unavailable } from '../shared/failure.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { postgresMajor } from './binaries.ts';
import { launch, type RunAs } from './run-as.ts';
import { unwritable } from './startup-failure.ts';

/** The only role of the embedded server: whoever may open its socket folder is trusted. */
export const embeddedUser = 'sui_rocks';
/** initdb creates it, which saves a first start one more step. */
export const embeddedDatabase = 'postgres';

const unfinishedPrefix = 'postgres.new-';
const unfinishedTtlMs = 10 * 60_000;

/** Makes `DATA_DIR` when needed and proves that this process may write there. Throws Unavailable `data-dir-unwritable`. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o755);
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Error && /ENOSPC|EDQUOT/.test(error.message)) throw error;
    throw unwritable(dataDir, error);
  }
}

/** True when the folder holds a database of this major version. Throws Unavailable when it holds anything else. */
export async function isInitialised(clusterDir: string): Promise<boolean> {
  const major = await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (major === null) {
    const content = await readdir(clusterDir).catch(ignoreMissing);
    if (content === null || content.length === 0) return false;
    throw new Unavailable(
      'data-dir-foreign',
      `${clusterDir} holds files but no database: move them away, or set DATA_DIR to another folder.`,
    );
  }
  if (major.trim() === postgresMajor) return true;
  throw new Unavailable(
    'data-dir-other-major',
    `${clusterDir} was made by PostgreSQL ${major.trim()} and this program brings ${postgresMajor}: ` +
      'set DATABASE_URL to a server of that version, or set DATA_DIR to another folder.',
  );
}

/**
 * A new database, made aside and moved into place in one step: an interrupted first start leaves nothing half done,
 * and of two first starts at once the slower one finds the other's database.
 * C.UTF-8 of the built-in provider sorts alike on every machine, whatever locales it has.
 */
export async function initialiseCluster(
  dataDir: string,
  clusterDir: string,
  initdb: string,
  runAs: RunAs,
): Promise<void> {
  await removeUnfinished(dataDir);
  const unfinished = path.join(dataDir, `${unfinishedPrefix}${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (runAs.kind === 'user') await chown(unfinished, runAs.uid, runAs.gid);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const args = ['-D', unfinished, `--username=${embeddedUser}`, '--auth=trust', ...locale];
    const { file, args: launchArgs, identity } = launch(runAs, initdb, args);
    await promisify(execFile)(file, [...launchArgs], { ...identity, cwd: dataDir, timeout: 120_000 });
    await moveIntoPlace(unfinished, clusterDir);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function moveIntoPlace(unfinished: string, clusterDir: string): Promise<void> {
  try {
    await rename(unfinished, clusterDir);
  } catch (error) {
    if (!(await isInitialised(clusterDir))) throw error;
  }
}

/** What an interrupted first start left. Young ones may belong to another start that is still at it. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const folder = path.join(dataDir, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > unfinishedTtlMs) await rm(folder, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
