import { hash, verify } from '@node-rs/argon2';
import { bulkhead, BulkheadRejectedError } from 'cockatiel';

import { Unavailable } from '../shared/failure.ts';

/**
 * argon2id as OWASP advises it: 19 MiB, two passes, one thread. The library's default is that algorithm; these values are
 * spelled out because every account's hash carries them.
 */
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface HashLimits {
  /** At most this many at once: each takes 19 MiB and a thread that file and DNS calls need too. */
  readonly atOnce: number;
  readonly waiting: number;
}

const defaultLimits: HashLimits = { atOnce: 2, waiting: 50 };
/** People who are signed in, or have signed in with this browser before, have a queue that strangers cannot fill. */
const knownBrowserLimits: HashLimits = { atOnce: 1, waiting: 10 };
const retryAfterMs = 2_000;

export type Passwords = ReturnType<typeof createPasswords>;

/** How far the browser is trusted, which says which queue a check waits in. */
export type Trust = 'stranger' | 'known-browser';

/** Throws Unavailable `sign-in-busy` when a queue is full, so that a flood of logins cannot use up the memory. */
export function createPasswords(limits: HashLimits = defaultLimits) {
  const queues = { stranger: createQueue(limits), 'known-browser': createQueue(knownBrowserLimits) };
  // The hash of a random password. An unknown name is checked against it, so that it takes as long as a wrong password.
  let dummyHash: Promise<string> | undefined;
  return {
    /** Only for signed-in people and for commands. */
    hash: (password: string): Promise<string> => queues['known-browser'](() => hash(canonical(password), costs)),
    /** `passwordHash` null: there is no such account; it takes the same time and answers false. */
    matches: async (password: string, passwordHash: string | null, trust: Trust): Promise<boolean> => {
      dummyHash ??= hash(crypto.randomUUID(), costs);
      const compared = passwordHash ?? (await dummyHash);
      const matches = await queues[trust](() => verify(compared, canonical(password)));
      return matches && passwordHash !== null;
    },
  };
}

/** The same characters, however a keyboard composes them (NIST SP 800-63B, 3.1.1.2). */
const canonical = (password: string): string => password.normalize('NFKC');

function createQueue({ atOnce, waiting }: HashLimits): <T>(work: () => Promise<T>) => Promise<T> {
  const queue = bulkhead(atOnce, waiting);
  return (work) =>
    queue.execute(work).catch((error: unknown) => {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      const sentence = 'Too many people are signing in at this moment.';
      throw new Unavailable('sign-in-busy', sentence, error, retryAfterMs);
    });
}
