import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from 'pg';

import {
  initialiseCluster,
  isInitialised,
  prepareDataDir,
  prepareSocketFolder,
  removeUnfinished,
  socketFolderOf,
  urlOf,
} from './data-folder.ts';
import { explainStartupFailure, PostgresFailure } from './failure.ts';
import { takeFolderLock } from './folder-lock.ts';
import { isPostmaster, readPidFile, startPostmaster, type PostmasterStart } from './postmaster.ts';
import { chooseRunAs, findBinaries } from './programs.ts';

/** The part of a pino logger that is needed: details first, then one sentence. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ServerStart {
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute: `postgres` in `dataDir`. */
  readonly clusterDir: string;
  /** Of the role and of the socket's folder. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** A server that this process holds. */
export interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
  readonly url: string;
  /** The folder's lock: ends exactly when the server does. */
  readonly lock: Client;
}

const readyWithinMs = 60_000;
const settleWithinMs = 15_000;
const settleMs = 20;
/** Another start was quicker, or a stop that just ended took the socket's folder away with it. */
const lostTheRace = /lock file .* (already exists|is empty)|could not create lock file .*PGSQL.*No such file/;

/** Adopts or starts the folder's server and takes the folder's lock. Throws PostgresFailure with a sentence for a person. */
export async function runServer(start: ServerStart): Promise<RunningServer> {
  try {
    const postmaster = await prepareStart(start);
    const deadline = Date.now() + settleWithinMs;
    for (;;) {
      const running = await attempt(start, postmaster);
      if (running !== null) return running;
      if (Date.now() > deadline) throw await neverSettled(start.clusterDir);
      await delay(settleMs);
    }
  } catch (error) {
    throw await explainStartupFailure(error, start.dataDir);
  }
}

async function prepareStart(start: ServerStart): Promise<PostmasterStart> {
  const { dataDir, clusterDir, name, settings, log } = start;
  const { initdb, postgres } = findBinaries();
  await prepareDataDir(dataDir);
  const runAs = await chooseRunAs(postgres, dataDir, clusterDir);
  await removeUnfinished(dataDir);
  if (!(await isInitialised(clusterDir))) {
    log.info({ dataDir }, 'Creating a new database');
    await initialiseCluster(start, initdb, runAs);
  }
  const socketDir = await socketFolderOf(dataDir, name);
  return {
    clusterDir,
    socketDir,
    logFile: path.join(dataDir, 'postgres.log'),
    postgres,
    runAs,
    settings,
    readyWithinMs,
  };
}

/** null: another start or stop is under way in this folder, look again in a moment. */
async function attempt(start: ServerStart, postmaster: PostmasterStart): Promise<RunningServer | null> {
  const server = await adoptOrStart(postmaster, start.log);
  if (server === null) return null;
  const url = urlOf(server.socketDir, start.name);
  try {
    return { ...server, url, lock: await takeFolderLock(url, start.dataDir) };
  } catch (error) {
    if (isPassing(error)) return null;
    throw error;
  }
}

async function adoptOrStart(
  postmaster: PostmasterStart,
  log: Log,
): Promise<Pick<RunningServer, 'pid' | 'socketDir'> | null> {
  const found = await readPidFile(postmaster.clusterDir);
  if (found !== null && (await isPostmaster(found.pid, postmaster.clusterDir))) {
    return found.status === 'ready' ? { pid: found.pid, socketDir: found.socketDir } : null;
  }
  await prepareSocketFolder(postmaster.socketDir, postmaster.runAs);
  const result = await startPostmaster(postmaster);
  if (result.kind === 'ready') {
    log.info({ pid: result.pid }, 'PostgreSQL started');
    return { pid: result.pid, socketDir: postmaster.socketDir };
  }
  if (lostTheRace.test(result.output)) return null;
  throw new Error(result.output);
}

/** The server is starting or stopping, as when a start follows a stop at once. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const passing = ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'];
  return passing.includes(code) || error.message === 'Connection terminated unexpectedly';
}

async function neverSettled(clusterDir: string): Promise<PostgresFailure> {
  const found = await readPidFile(clusterDir);
  const who = found === null ? '' : ` (process ${found.pid})`;
  return new PostgresFailure(
    'postgres-start-failed',
    `The PostgreSQL that runs in ${clusterDir}${who} cannot be reached and does not end: end it and start again.`,
  );
}
