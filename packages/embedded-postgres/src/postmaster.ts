import { execFile, spawn } from 'node:child_process';
import { open, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { launch, type RunAs } from './programs.ts';

/** What the server wrote into its postmaster.pid (one value a line; PostgreSQL's pidfile.h). */
export interface PidFile {
  readonly pid: number;
  readonly socketDir: string;
  /** `starting`, `ready`, `stopping`; empty while the file is being written. */
  readonly status: string;
}

export type StartResult =
  { readonly kind: 'ready'; readonly pid: number } | { readonly kind: 'failed'; readonly output: string };

const pollMs = 10;
const emptyPidFileTtlMs = 2_000;
const largestLogBytes = 1024 * 1024;

export async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() };
}

/** True when `pid` is the server of this folder, not another process that was given the pid of a server that has ended. */
export async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return isNamedPostgres(pid);
  // The server works inside its data folder. A zombie has none (ENOENT); a container's root may not look at another user's.
  const folder = await readlink(`/proc/${pid}/cwd`).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown');
  if (folder === 'EACCES' || folder === 'EPERM') return isNamedPostgres(pid);
  return folder === (await realpath(clusterDir).catch(() => clusterDir));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isNamedPostgres(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres');
}

/** Disk full or a crash at the wrong moment leaves an empty file, which the server takes for another server's. */
async function removeEmptyPidFile(clusterDir: string): Promise<void> {
  const file = path.join(clusterDir, 'postmaster.pid');
  const found = await stat(file).catch(() => null);
  if (found !== null && found.size === 0 && Date.now() - found.mtimeMs > emptyPidFileTtlMs)
    await rm(file, { force: true });
}

export interface PostmasterStart {
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly logFile: string;
  readonly postgres: string;
  readonly runAs: RunAs;
  readonly settings: Readonly<Record<string, string>>;
  readonly readyWithinMs: number;
}

/**
 * Starts the server in a session of its own, so that a Ctrl-C in the terminal does not end it before the program has stopped.
 * Its output goes to a file: a pipe would break when this process is killed and the server lives on.
 */
export async function startPostmaster(start: PostmasterStart): Promise<StartResult> {
  await removeEmptyPidFile(start.clusterDir);
  const stale = await readPidFile(start.clusterDir);
  const settings = { ...start.settings, unix_socket_directories: start.socketDir };
  const args = [
    '-D',
    start.clusterDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const { file, args: launchArgs, identity } = launch(start.runAs, start.postgres, args);
  const log = await open(start.logFile, (await isLarge(start.logFile)) ? 'w' : 'a', 0o600);
  try {
    const logStart = (await log.stat()).size;
    const child = spawn(file, [...launchArgs], {
      ...identity,
      cwd: path.dirname(start.clusterDir),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      // The server takes this number in a stale pid file for its own, even when a stranger has it now (miscinit.c).
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        TZ: 'UTC',
        ...(stale === null ? {} : { PG_GRANDPARENT_PID: String(stale.pid) }),
      },
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(String(error)));
      child.once('exit', () => resolve(''));
    });
    child.unref();
    const failure = await readyOrEnded(start, child.pid, ended);
    if (failure === null && child.pid !== undefined) return { kind: 'ready', pid: child.pid };
    const logged = await readFile(start.logFile);
    return { kind: 'failed', output: `${failure ?? ''}\n${logged.subarray(logStart).toString('utf8')}` };
  } finally {
    await log.close();
  }
}

async function isLarge(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && found.size > largestLogBytes;
}

/** null when ready, otherwise what is known about the end. */
async function readyOrEnded(
  start: PostmasterStart,
  pid: number | undefined,
  ended: Promise<string>,
): Promise<string | null> {
  const deadline = Date.now() + start.readyWithinMs;
  while (Date.now() < deadline) {
    const found = await readPidFile(start.clusterDir);
    if (found !== null && found.pid === pid && found.status === 'ready') return null;
    const failure = await Promise.race([ended, delay(pollMs, null)]);
    if (failure !== null) return failure;
  }
  if (pid !== undefined) await stopPostmaster(pid, start.clusterDir);
  return `it was not ready after ${start.readyWithinMs} ms`;
}

/** Fast shutdown (SIGINT), then immediate (SIGQUIT, repaired from the log at the next start), then SIGKILL: at most 3 s. */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  const steps: readonly (readonly [NodeJS.Signals, number])[] = [
    ['SIGINT', 2_200],
    ['SIGQUIT', 500],
    ['SIGKILL', 300],
  ];
  for (const [signal, waitMs] of steps) {
    if (!(await isPostmaster(pid, clusterDir))) return;
    process.kill(pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline && (await isPostmaster(pid, clusterDir))) await delay(pollMs);
  }
}
