import path from 'node:path';

import { Unavailable } from '../shared/failure.ts';
import { createDatabase, type DatabaseOptions, type ProductDatabase } from './connect.ts';
import { embeddedUrl } from './embedded-url.ts';
import { readPidFile } from './postmaster.ts';

/**
 * The product's database for a tool that runs beside it: the embedded server of a product that is running, otherwise that
 * server started for the moment. Throws what `createDatabase` throws.
 */
export async function createSharedDatabase<Tables>(options: DatabaseOptions): Promise<ProductDatabase<Tables>> {
  try {
    return await createDatabase<Tables>(options);
  } catch (error) {
    if (!(error instanceof Unavailable && error.reason === 'data-dir-held')) throw error;
    const running = await readPidFile(path.resolve(options.dataDir, 'postgres'));
    if (running === null) throw error;
    return createDatabase<Tables>({ ...options, url: embeddedUrl(running.socketDir) });
  }
}
