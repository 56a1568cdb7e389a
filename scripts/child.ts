import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ChildOptions {
  /** The name used in sentences: 'The sandbox'. */
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLine: (line: string) => void;
  /** The folder of the embedded database that this process starts. */
  readonly dataDir?: string;
}

export interface Child {
  readonly name: string;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
  /** Sends SIGTERM, then SIGKILL if that is ignored. Resolves when the process has ended. */
  readonly stop: () => Promise<void>;
}

/** Leaves enough time to stop the databases too, all within 5 seconds. */
const graceMs = 4_000;

/**
 * Starts a Node process in its own session: Ctrl-C in the terminal reaches only the parent, which then stops its children in order.
 * Its stderr is passed on; its last fatal log message becomes the reason of its end.
 */
export function startChild({ name, args, env, onLine }: ChildOptions): Child {
  const child = spawn(process.execPath, [...args], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let fatal = '';
  createInterface(child.stdout).on('line', (line) => {
    fatal = fatalMessage(line) ?? fatal;
    onLine(line);
  });
  createInterface(child.stderr).on('line', (line) => {
    process.stderr.write(`${line}\n`);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal;
      resolve(fatal === '' ? how : `${how}: ${fatal}`);
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
