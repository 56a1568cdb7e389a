import { flushCompileCache } from 'node:module';

import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { inSmallPages } from './small-pages.ts';
import { type LedgerGround, openLedger } from './open-ledger.ts';

export interface DoomedReader extends Pick<LedgerGround, 'urls' | 'facts'> {
  readonly databaseUrl: string;
  /** It asks for so many pages, and has so long for what it does with the last one. */
  readonly pages: number;
  readonly thenMs: number;
}

// A process that is killed keeps nothing of what it has compiled; the next one would do all of it again.
flushCompileCache();

/** One copy of the product, as far as it reads the ledger: a process of its own that ends as with kill -9. */
const { databaseUrl, pages, thenMs, ...ground } = JSON.parse(process.argv[2] ?? '{}') as DoomedReader;
let asked = 0;
const onPage = (): void => {
  asked += 1;
  if (asked === pages) setTimeout(() => process.kill(process.pid, 'SIGKILL'), thenMs);
};
const { runOut } = await openLedger({
  ...ground,
  pool: createPool(databaseUrl, silentLog),
  node: inSmallPages(onPage),
});
await runOut('treasury-ledger');
process.exit(0);
