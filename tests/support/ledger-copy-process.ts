import { flushCompileCache } from 'node:module';

import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';
import { inSmallPages } from './small-pages.ts';
import { type LedgerGround, openLedger } from './open-ledger.ts';

export interface DoomedReader extends Pick<LedgerGround, 'urls' | 'facts'> {
  readonly databaseUrl: string;
  /** It is killed `thenMs` after it has asked for this many pages. */
  readonly pages: number;
  readonly thenMs: number;
}

// A killed process does not save its compiled modules; the next one would compile them again.
flushCompileCache();

/** The part of one copy of the product that reads the ledger, in its own process, which ends as with kill -9. */
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
