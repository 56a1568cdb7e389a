/** Why the process is to end. `exitCode` 0: somebody asked for it. */
interface End {
  readonly exitCode: number;
  readonly reason: string;
  readonly cause?: unknown;
}

export interface EndWatch {
  /** Resolves with the first reason to end. */
  readonly ended: Promise<End>;
  readonly end: (end: End) => void;
}

/**
 * Waits for SIGINT, SIGTERM, SIGHUP or an uncaught error. The first one asks for a clean stop; a second signal ends the
 * process at once, and so does a stop that takes longer than `stopWithinMs`.
 */
export function watchForEnd(stopWithinMs: number): EndWatch {
  const { promise: ended, resolve } = Promise.withResolvers<End>();
  let ending = false;
  const end = (reason: End): void => {
    if (ending) return;
    ending = true;
    resolve(reason);
    setTimeout(() => process.exit(1), stopWithinMs).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      end({ exitCode: 0, reason: signal });
    });
  }
  // A closed terminal. It may be said twice, by the shell and by the kernel, and means no haste.
  process.on('SIGHUP', () => end({ exitCode: 0, reason: 'SIGHUP' }));
  process.on('uncaughtException', (cause) => end({ exitCode: 1, reason: 'an uncaught error', cause }));
  process.on('unhandledRejection', (cause) => end({ exitCode: 1, reason: 'an unhandled rejection', cause }));
  return { ended, end };
}
