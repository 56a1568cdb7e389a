import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../ports.ts';

export interface KeepingClaimOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Logger, 'warn'>;
  /** How long a claim lasts. */
  readonly claimMs: number;
}

const renewals = 3;

/**
 * Renews the claim for as long as `work` takes: what is looked up may take longer than any claim lasts. Whoever finds the claim ended
 * begins the same again, which makes both slower still.
 */
export async function keepingClaim<T>(
  { clock, log, claimMs }: KeepingClaimOptions,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  let cancel = (): void => {};
  const renewLater = (): void => {
    cancel = clock.after(claimMs / renewals, () => {
      renew().catch((error: unknown) => log.warn({ err: error }, 'A claim on role work could not be renewed'));
      renewLater();
    });
  };
  renewLater();
  try {
    return await work();
  } finally {
    cancel();
  }
}
