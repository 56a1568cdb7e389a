import { stopAbandonedServer } from '@sui-rocks/embedded-postgres';

import { embeddedName } from '../src/db/connect.ts';
import { startChild, type Child, type ChildOptions } from './child.ts';

export interface Group {
  /** If it ends by itself, everything is stopped. */
  readonly start: (options: ChildOptions) => Child;
  /** It may end by itself, as a build does. */
  readonly startTask: (options: ChildOptions) => Child;
  /** Prints the sentence and stops everything with exit code 1. */
  readonly fail: (sentence: string) => void;
}

/**
 * Runs `work`, then waits. On Ctrl-C, SIGTERM, a closed terminal or pipe, or the end of a child, also during the start, it stops all
 * children and the database in each child's `dataDir` (unless another process holds it), then exits.
 */
export async function runTogether(work: (group: Group) => Promise<void>): Promise<void> {
  const { promise: over, resolve: finish } = Promise.withResolvers<number>();
  const children: Child[] = [];
  const dataDirs = new Set<string>();
  let isEnding = false;
  const fail = (sentence: string): void => {
    if (!isEnding) console.error(`\n${sentence}`);
    end(1);
  };
  const end = (exitCode: number): void => {
    isEnding = true;
    finish(exitCode);
  };
  const startTask = (options: ChildOptions): Child => {
    if (isEnding) throw new Error('Ending');
    const child = startChild(options);
    children.push(child);
    if (options.dataDir !== undefined) dataDirs.add(options.dataDir);
    return child;
  };
  const start = (options: ChildOptions): Child => {
    const child = startTask(options);
    void child.ended.then((reason) => fail(`${options.name} ended by itself (${reason}); stopping the rest.`));
    return child;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  // The reader of our output has gone (`| head`): uncaught, the error would end only this process and leave its children running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => end(0));
  // So would any other uncaught error, such as a log on a full disk.
  process.on('uncaughtException', (error) => fail(error.message));
  work({ start, startTask, fail }).catch((error: unknown) =>
    fail(error instanceof Error ? error.message : String(error)),
  );
  const exitCode = await over;
  // The newest first: the product would take the end of the sandbox for an outage.
  for (const child of children.toReversed()) await child.stop();
  // The product stops its database itself, unless it had to be killed.
  for (const dataDir of dataDirs) await stopAbandonedServer(dataDir, embeddedName);
  process.exit(exitCode);
}
