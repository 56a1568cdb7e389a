import { stopAbandonedServer } from '@sui-rocks/embedded-postgres';

import { embeddedName } from '../src/db/connect.ts';
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
 * Runs `work`, then waits. Ctrl-C, SIGTERM, a closed terminal or pipe, or the end of a child end all children, at any moment of the
 * start too, and the database of a child's `dataDir` with them, unless another process holds it; then this process exits.
 */
export async function runTogether(work: (group: Group) => Promise<void>): Promise<void> {
  const { promise: over, resolve: finish } = Promise.withResolvers<number>();
  const children: Child[] = [];
  const dataDirs = new Set<string>();
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
    if (options.dataDir !== undefined) dataDirs.add(options.dataDir);
    return child;
  };
  const start = (options: ChildOptions): Child => {
    const child = startTask(options);
    void child.ended.then((reason) => fail(`${options.name} ended on its own (${reason}); the rest is stopped.`));
    return child;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  // Whoever read what is written here has gone (`| head`): the error would end this process alone, and leave its children.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => end(0));
  // What nobody caught, such as a log on a full disk, would end this process alone as well.
  process.on('uncaughtException', (error) => fail(error.message));
  work({ start, startTask, fail }).catch((error: unknown) =>
    fail(error instanceof Error ? error.message : String(error)),
  );
  const exitCode = await over;
  await Promise.all(children.map((child) => child.stop()));
  // The product stops its database itself; one that had to be killed could not.
  for (const dataDir of dataDirs) await stopAbandonedServer(dataDir, embeddedName);
  process.exit(exitCode);
}
