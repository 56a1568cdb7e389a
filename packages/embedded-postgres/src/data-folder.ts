import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  access,
  chown,
  constants,
  lstat,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { PostgresFailure, unwritable } from './failure.ts';
import { launch, postgresMajor, type RunAs } from './programs.ts';

/** initdb creates it, which saves a first start one more step. */
const database = 'postgres';

/**
 * The address of the server whose Unix socket lies in `socketDir`. Its only role: who may open that folder is trusted.
 * Says all of it: for what an address leaves out, pg reads variables that are meant for another server (PGPORT, PGSSLMODE).
 */
export function urlOf(socketDir: string, name: string): string {
  return `postgresql://${roleOf(name)}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`;
}

const roleOf = (name: string): string => name.replaceAll('-', '_');

const unfinishedPrefix = 'postgres.new-';
const unfinishedTtlMs = 10 * 60_000;

/** Makes the data folder when needed and proves that this process may write there. Throws PostgresFailure `data-dir-unwritable`. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o755);
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Error && /ENOSPC|EDQUOT/.test(error.message)) throw error;
    throw unwritable(dataDir, error);
  }
}

/** True when the folder holds a database of this major version. Throws PostgresFailure when it holds anything else. */
export async function isInitialised(clusterDir: string): Promise<boolean> {
  const major = await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8').catch(ignoreMissing);
  if (major === null) {
    const content = await readdir(clusterDir).catch(ignoreMissing);
    if (content === null || content.length === 0) return false;
    throw new PostgresFailure(
      'data-dir-foreign',
      `${clusterDir} holds files but no database: move them away, or use another folder.`,
    );
  }
  if (major.trim() === postgresMajor) return true;
  throw new PostgresFailure(
    'data-dir-other-major',
    `${clusterDir} was made by PostgreSQL ${major.trim()} and this program brings ${postgresMajor}: ` +
      'use a server of that version, or another folder.',
  );
}

/**
 * A new database, made aside and moved into place in one step: an interrupted first start leaves nothing half done,
 * and of two first starts at once the slower one finds the other's database.
 * C.UTF-8 of the built-in provider sorts alike on every machine, whatever locales it has.
 */
export async function initialiseCluster(
  { dataDir, clusterDir, name }: { readonly dataDir: string; readonly clusterDir: string; readonly name: string },
  initdb: string,
  runAs: RunAs,
): Promise<void> {
  const unfinished = path.join(dataDir, `${unfinishedPrefix}${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (runAs.kind === 'user') await chown(unfinished, runAs.uid, runAs.gid);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const args = ['-D', unfinished, `--username=${roleOf(name)}`, '--auth=trust', ...locale];
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
export async function removeUnfinished(dataDir: string): Promise<void> {
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

/** A Unix socket's whole path: sockaddr_un holds 108 bytes with the closing zero on Linux, 104 on macOS. */
const longestSocketPath = 103;
const socketName = '.s.PGSQL.5432';

/** Short, the same at every start of one data folder, and outside it, because that path may be of any length. */
export async function socketFolderOf(dataDir: string, name: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 12);
  const folder = `${name}-${digest}`;
  const preferred = path.join(os.tmpdir(), folder);
  return path.join(preferred, socketName).length <= longestSocketPath ? preferred : path.join('/tmp', folder);
}

/** Makes the folder for its owner alone. Throws PostgresFailure when somebody else was there first: trust rests on it. */
export async function prepareSocketFolder(folder: string, runAs: RunAs): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const ownUid = process.getuid?.() ?? 0;
  const allowedUid = runAs.kind === 'user' ? runAs.uid : ownUid;
  const found = await lstat(folder);
  const owned = found.uid === ownUid || found.uid === allowedUid;
  if (!found.isDirectory() || !owned || (found.mode & 0o077) !== 0) {
    throw new PostgresFailure(
      'socket-folder-unsafe',
      `${folder} must be a folder that only its owner may enter: remove it and start again.`,
    );
  }
  if (runAs.kind === 'user' && found.uid !== runAs.uid) await chown(folder, runAs.uid, runAs.gid);
}

/**
 * Makes the folder and what is missing above it, step by step: Node's own recursive mkdir never ends on a pseudo file
 * system such as /proc, where a parent exists and still nothing can be made. Throws the file system's error.
 */
async function makeFolder(folder: string, mode: number): Promise<void> {
  const absolute = path.resolve(folder);
  if (await isFolder(absolute)) return;
  const parent = path.dirname(absolute);
  if (parent !== absolute) await makeFolder(parent, mode);
  try {
    await mkdir(absolute, { mode });
  } catch (error) {
    // Another start may have been quicker.
    if (!(await isFolder(absolute))) throw error;
  }
}

const isFolder = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
