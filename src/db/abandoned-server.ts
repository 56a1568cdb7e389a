import path from 'node:path';

import { Unavailable } from '../shared/failure.ts';
import { takeDataDirLock } from './data-dir-lock.ts';
import { embeddedUrl } from './embedded-url.ts';
import { isPostmaster, readPidFile, stopPostmaster } from './postmaster.ts';

/**
 * Ends the server that a killed product left in `dataDir`. One that a living process holds is somebody else's and stays;
 * one that cannot be asked (it is still starting, or hangs) has no holder and is ended.
 */
export async function stopAbandonedServer(dataDir: string): Promise<void> {
  const clusterDir = path.resolve(dataDir, 'postgres');
  const left = await readPidFile(clusterDir);
  if (left === null || !(await isPostmaster(left.pid, clusterDir))) return;
  try {
    const lock = await takeDataDirLock(embeddedUrl(left.socketDir), dataDir);
    await stopPostmaster(left.pid, clusterDir);
    await lock.end().catch(() => {});
  } catch (error) {
    if (error instanceof Unavailable && error.reason === 'data-dir-held') return;
    await stopPostmaster(left.pid, clusterDir);
  }
}
