import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runAfter } from './in-time.ts';
import { Invalid, Refused, Unavailable } from '../shared/failure.ts';
import type { Log } from './logger.ts';

/** Where the product should listen. */
interface Place {
  readonly port: number;
  readonly host: string;
}

/** One sentence for the operator on why a start failed. */
export function startFailureSentence(error: unknown, place: Place): string {
  if (error instanceof Unavailable || error instanceof Refused || error instanceof Invalid) return error.message;
  if (!(error instanceof Error)) return `The start failed: ${String(error)}.`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ENOSPC') return 'The disk is full: free some space and start again.';
  // PostgreSQL's code for a missing right.
  if (code === '42501') {
    return `The database user may not do this (${error.message}): it needs to own the tables, and may need to create a schema.`;
  }
  // A standby after a failover, where PostgreSQL's words name a statement of ours.
  if (code === '25006') {
    return 'The database does not accept changes, as a standby does not: DATABASE_URL must name the server that does.';
  }
  const isListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo');
  const sentence = isListening ? listenFailureSentence(code, place) : null;
  return sentence ?? `The start failed: ${error.message.split('\n', 1).join('')}.`;
}

/** null: the system's code is not known. */
function listenFailureSentence(code: string, { port, host }: Place): string | null {
  const unknownHost = `The name ${host} is not known: set HOST to an address of this machine, such as 127.0.0.1.`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is already in use by another program: stop that one, or choose another port with PORT.`,
    EACCES: `Port ${port} on ${host} is not allowed for this user: choose one above 1023 with PORT.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one of its own, such as 127.0.0.1 or 0.0.0.0.`,
    ENOTFOUND: unknownHost,
    EAI_AGAIN: unknownHost,
  };
  return sentences[code] ?? null;
}

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

/** Remembers how to undo each step of a start: what was started last is stopped first. */
export function createStopStack(log: Pick<Log, 'error'>) {
  type Stop = () => Promise<void> | void;
  const steps: { readonly name: string; readonly stop: Stop }[] = [];
  let stopped: Promise<void> | undefined;
  const stopEach = async (): Promise<void> => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        log.error({ err: error, part: step.name }, 'A part did not stop cleanly');
      }
    }
  };
  return {
    add: (name: string, stop: Stop): void => void steps.push({ name, stop }),
    /** Stops everything, even if a part fails to stop; a second call waits for the first. */
    stopAll: (): Promise<void> => (stopped ??= stopEach()),
  };
}

/** Why the process ends. `exitCode` 0: it was requested. */
interface End {
  readonly exitCode: number;
  readonly reason: string;
  readonly cause?: unknown;
}

/**
 * Waits for SIGINT, SIGTERM, SIGHUP or an uncaught error: `ended` resolves with the first, for a clean stop. A later SIGINT or SIGTERM
 * ends the process at once, and so does a stop that takes longer than `stopWithinMs`.
 */
export function watchForEnd(stopWithinMs: number) {
  const { promise: ended, resolve } = Promise.withResolvers<End>();
  let isEnding = false;
  const end = (reason: End): void => {
    if (isEnding) return;
    isEnding = true;
    resolve(reason);
    runAfter(stopWithinMs, () => process.exit(1));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isEnding) process.exit(1);
      end({ exitCode: 0, reason: signal });
    });
  }
  // A closed terminal. Shell and kernel may both send it, so a second one does not end the process at once.
  process.on('SIGHUP', () => end({ exitCode: 0, reason: 'SIGHUP' }));
  process.on('uncaughtException', (cause) => end({ exitCode: 1, reason: 'an uncaught error', cause }));
  process.on('unhandledRejection', (cause) => end({ exitCode: 1, reason: 'an unhandled rejection', cause }));
  return { ended, end };
}
