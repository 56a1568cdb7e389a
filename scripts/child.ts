import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ChildOptions {
  /** As it is called in a sentence: 'The sandbox'. */
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLine: (line: string) => void;
  /** The folder whose embedded database this process holds. */
  readonly dataDir?: string;
}

export interface Child {
  readonly name: string;
  /** Resolves with why, when the process is gone. */
  readonly ended: Promise<string>;
  /** SIGTERM, and SIGKILL when that is not heeded. Resolves when the process is gone. */
  readonly stop: () => Promise<void>;
}

/** With what follows it, everything is over within 5 seconds. */
const graceMs = 4_000;

/**
 * A Node process in a session of its own: a Ctrl-C in the terminal reaches this process alone, which then ends its children in order.
 * What it writes to stderr is shown; its last complaint becomes the reason of its end.
 */
export function startChild({ name, args, env, onLine }: ChildOptions): Child {
  const child = spawn(process.execPath, [...args], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  createInterface(child.stdout).on('line', (line) => {
    complaint = fatalMessage(line) ?? complaint;
    onLine(line);
  });
  createInterface(child.stderr).on('line', (line) => {
    process.stderr.write(`${line}\n`);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal;
      resolve(complaint === '' ? how : `${how}: ${complaint}`);
    });
  });
  const isRunning = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const stop = async (): Promise<void> => {
    if (!isRunning()) return;
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(kill);
  };
  return { name, ended, stop };
}

/** The message of a log line of level fatal (pino: 60), otherwise null. */
function fatalMessage(line: string): string | null {
  if (!/"level":(60|"fatal")/.test(line)) return null;
  return /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? null;
}
