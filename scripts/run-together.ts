import path from 'node:path';

import { readPidFile, stopPostmaster } from '../src/platform/database/postmaster.ts';
import { startChild, type Child, type ChildOptions } from './child.ts';

export interface Group {
  /** Its end on its own ends everything. */
  readonly start: (options: ChildOptions) => Child;
  /** It may end by itself, such as a build. */
  readonly startTask: (options: ChildOptions) => Child;
  /** Ends everything with this sentence and exit code 1. */
  readonly fail: (sentence: string) => void;
}

/**
 * Runs `work`, then waits. Ctrl-C, SIGTERM, a closed terminal or the end of a child end all children, at any moment of the start too,
 * and the database of `dataDir` with them; then this process exits.
 */
export async function runTogether(dataDir: string, work: (group: Group) => Promise<void>): Promise<void> {
  const { promise: over, resolve: finish } = Promise.withResolvers<number>();
  const children: Child[] = [];
  const state = { ending: false };
  const fail = (sentence: string): void => {
    if (!state.ending) console.error(`\n${sentence}`);
    end(1);
  };
  const end = (exitCode: number): void => {
    state.ending = true;
    finish(exitCode);
  };
  const startTask = (options: ChildOptions): Child => {
    if (state.ending) throw new Error('Ending');
    const child = startChild(options);
    children.push(child);
    return child;
  };
  const start = (options: ChildOptions): Child => {
    const child = startTask(options);
    void child.ended.then((reason) => fail(`${options.name} ended on its own (${reason}); the rest is stopped.`));
    return child;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  work({ start, startTask, fail }).catch((error: unknown) =>
    fail(error instanceof Error ? error.message : String(error)),
  );
  const exitCode = await over;
  await Promise.all(children.map((child) => child.stop()));
  await stopServerLeftIn(path.resolve(dataDir, 'postgres'));
  process.exit(exitCode);
}

/** The product stops its database itself; one that had to be killed could not. */
async function stopServerLeftIn(clusterDir: string): Promise<void> {
  const left = await readPidFile(clusterDir);
  if (left !== null) await stopPostmaster(left.pid, clusterDir);
}
