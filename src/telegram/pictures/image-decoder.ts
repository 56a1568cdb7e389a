import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { answerMaxBytes, createFrameReader, pictureMaxBytes, writeFrame } from './picture-wire.ts';

/** One process that decodes pictures, one after the other. */
interface ImageDecoder {
  /** null: it could not be started. */
  readonly pid: number | null;
  /** Its answer as picture-wire.ts tells; null: it is gone, or does not keep to its language. One picture at a time. */
  ask(bytes: Buffer): Promise<Buffer | null>;
  isOver(): boolean;
  /** Whatever it does just now. Resolves when the process is gone. */
  end(): Promise<void>;
}

const program = join(import.meta.dirname, 'shrink-image-process.ts');
/** Pictures are kept outside of V8's heap. */
const nodeFlags = ['--max-old-space-size=64', '--max-semi-space-size=1'];
/**
 * Nothing of the product's own environment: no token, no database. For glibc: one arena, and whatever is large goes back to
 * the system when it is freed; otherwise 30 MB more stay behind.
 */
const env = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '2' };

/** Never throws: a process that cannot be started is one that is over. */
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
    // It is gone in the midst of its picture: `close` tells.
    child.stdin.on('error', () => {});
    return child;
  } catch {
    endOf();
    return null;
  }
}
