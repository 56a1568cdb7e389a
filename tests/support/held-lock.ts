import { once } from 'node:events';

import { silentLog } from '../../src/db/outage.ts';
import { createSessionLock, type SessionLock } from '../../src/db/session-lock.ts';

/** Takes a lock as another copy would. Resolves when it is held. */
export async function heldLock(url: string, name: string): Promise<SessionLock> {
  const held = Promise.withResolvers<void>();
  const onHeld = async (lost: AbortSignal): Promise<void> => {
    held.resolve();
    if (!lost.aborted) await once(lost, 'abort');
  };
  const lock = createSessionLock({ url, name, onHeld, log: silentLog });
  lock.start();
  await held.promise;
  return lock;
}
