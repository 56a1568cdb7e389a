import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { answerMaxBytes, createFrameReader, pictureMaxBytes, writeFrame } from './picture-wire.ts';

/** One process that decodes pictures, one after the other. */
interface ImageDecoder {
  /** null: it could not be started. */
  readonly pid: number | null;
  /** Its answer as described in picture-wire.ts; null: it is gone or broke the protocol. One picture at a time. */
  ask(bytes: Buffer): Promise<Buffer | null>;
  isOver(): boolean;
  /** Also while it is busy. Resolves when the process is gone. */
  end(): Promise<void>;
}

const program = join(import.meta.dirname, 'shrink-image-process.ts');
/** Pictures are held outside V8's heap. */
const nodeFlags = ['--max-old-space-size=64', '--max-semi-space-size=1'];
/**
 * Nothing of the product's own environment: no token, no database. For glibc: one arena, and large blocks go back to
 * the system when freed; otherwise 30 MB more stay allocated.
 */
const env = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '2' };

/** Never throws: a process that cannot be started counts as ended. */
export function startImageDecoder(): ImageDecoder {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  let take: (answer: Buffer | null) => void = () => {};
  const endOf = (): void => {
    isOver = true;
    take(null);
    over.resolve();
  };
  const child = spawnProgram(endOf);
  child?.stdout?.on(
    'data',
    createFrameReader(answerMaxBytes, (answer) => take(answer)),
  );
  return {
    pid: child?.pid ?? null,
    ask: (bytes) => {
      if (isOver || !child?.stdin || bytes.byteLength > pictureMaxBytes) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<Buffer | null>();
      take = resolve;
      writeFrame(child.stdin, [bytes]);
      return promise;
    },
    isOver: () => isOver,
    end: () => {
      child?.kill('SIGKILL');
      return over.promise;
    },
  };
}

function spawnProgram(endOf: () => void): ChildProcess | null {
  try {
    const child = spawn(process.execPath, [...nodeFlags, program], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.once('error', endOf);
    child.once('close', endOf);
    // It died in the middle of a picture: `close` handles that.
    child.stdin.on('error', () => {});
    return child;
  } catch {
    endOf();
    return null;
  }
}
