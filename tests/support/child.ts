import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The environment of a child. Its modules are compiled once for all children of a run, as `npm start` does. */
export const childEnv: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled'),
};

/** A child process with its output kept, for tests that run the real programs. */
export interface Child {
  readonly pid: number;
  /** Everything it has written so far, stdout and stderr together. */
  output(): string;
  firstLine(): Promise<string>;
  /** Sends the signal and waits for the end; returns the exit code (null: ended by a signal). */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

export const startChild = (
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  nodeFlags: readonly string[] = [],
): Child => {
  const child: ChildProcess = spawn(process.execPath, [...nodeFlags, script, ...args], {
    env: { ...childEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const lines: string[] = [];
  let giveLine: (line: string) => void = () => {};
  const first = new Promise<string>((resolve) => (giveLine = resolve));
  const { stdout, stderr, pid } = child;
  if (stdout === null || stderr === null || pid === undefined) throw new Error(`${script} could not be started`);
  createInterface({ input: stdout }).on('line', (line) => {
    lines.push(line);
    output += `${line}\n`;
    giveLine(line);
  });
  stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    pid,
    output: () => output,
    firstLine: () =>
      Promise.race([
        first,
        exited.then((code) =>
          Promise.reject(new Error(`${script} ended with ${code} before its first line:\n${output}`)),
        ),
      ]),
    end: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
    exited,
  };
};
