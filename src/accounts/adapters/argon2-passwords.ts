import { hash, verify } from '@node-rs/argon2';

import { Unavailable } from '../../shared/failure.ts';
import type { Passwords } from '../ports.ts';

/**
 * argon2id as OWASP advises it: 19 MiB, two passes, one thread. The library's default is that algorithm; these values are
 * spelled out because every account's hash carries them.
 */
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface HashLimits {
  /** At most so many at once: each takes 19 MiB and a thread that files and DNS need too. */
  readonly atOnce: number;
  /** At most so many waiting for their turn. */
  readonly waiting: number;
}

const defaultLimits: HashLimits = { atOnce: 2, waiting: 50 };
/** A place that strangers cannot take: for browsers that have signed in before. */
const knownBrowserLimits: HashLimits = { atOnce: 1, waiting: 10 };
const retryAfterMs = 2_000;

/** The port on argon2id. A flood of logins gets Unavailable `sign-in-busy` instead of all the memory. */
export function createArgon2Passwords(limits: HashLimits = defaultLimits): Passwords {
  const turns = { stranger: createTurns(limits), 'known-browser': createTurns(knownBrowserLimits) };
  const hashed = (password: string): Promise<string> => turns.stranger(() => hash(canonical(password), costs));
  // Of a password nobody has: what a wrong name is checked against, so that it takes as long as a wrong password.
  let nobodysHash: Promise<string> | undefined;
  return {
    hash: hashed,
    matches: async (password, passwordHash, by) => {
      nobodysHash ??= hash(crypto.randomUUID(), costs);
      const compared = passwordHash ?? (await nobodysHash);
      const matches = await turns[by](() => verify(compared, canonical(password)));
      return matches && passwordHash !== null;
    },
  };
}

/** The same characters, however a keyboard composes them (NIST SP 800-63B, 3.1.1.2). */
const canonical = (password: string): string => password.normalize('NFKC');

function createTurns({ atOnce, waiting }: HashLimits): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  const takeTurn = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (queue.length >= waiting) {
      const sentence = 'Too many people are signing in at this moment.';
      throw new Unavailable('sign-in-busy', sentence, undefined, retryAfterMs);
    }
    // Whoever ends hands its turn on, so `running` stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve));
  };
  const passOn = (): void => {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (work) => {
    await takeTurn();
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}
