import { pause } from '../../process/in-time.ts';
import { Unavailable } from '../../shared/failure.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { ledgerReading } from './ledger-job.ts';
import type { LedgerStore } from './ledger-store.ts';

interface ReadToDeps {
  readonly store: Pick<LedgerStore, 'reading'>;
  readonly jobs: Pick<Jobs, 'send'>;
}

const withinMs = 20_000;
const lookEveryMs = 100;
/** A node that is behind is asked again so often. */
const sendEveryMs = 1_000;

/**
 * Has the ledger read now, and waits until it has everything up to that checkpoint, in whichever copy of the product the job runs. Throws
 * Unavailable when that takes too long.
 */
export const createReadTo =
  ({ store, jobs }: ReadToDeps) =>
  async (checkpoint: bigint): Promise<void> => {
    const never = new AbortController().signal;
    const beganMs = performance.now();
    let sentMs = -Infinity;
    while (((await store.reading()).coveredCheckpoint ?? -1n) < checkpoint) {
      const nowMs = performance.now();
      if (nowMs - beganMs > withinMs) {
        const message = `The ledger was not read up to checkpoint ${checkpoint} within ${withinMs} ms`;
        throw new Unavailable('ledger-behind', message, undefined, 10_000, 'The ledger of the treasury');
      }
      if (nowMs - sentMs > sendEveryMs) {
        await jobs.send(ledgerReading, {});
        sentMs = nowMs;
      }
      await pause(lookEveryMs, never);
    }
  };
