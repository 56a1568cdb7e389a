import { createPool } from '../src/db/connect.ts';
import { silentLog } from '../src/db/outage.ts';
import { type LedgerGround, openLedger } from '../tests/support/open-ledger.ts';
import { peakResidentMb } from './process-usage.ts';

/** Reads a ledger to its end, prints the peak memory (MB) and the processor time (s) of that, and exits. */
const { databaseUrl, ...ground } = JSON.parse(process.argv[2] ?? '{}') as Pick<LedgerGround, 'urls' | 'facts'> & {
  readonly databaseUrl: string;
};
const { runOut } = await openLedger({ ...ground, pool: createPool(databaseUrl, silentLog) });
await runOut('treasury-ledger');
const { user, system } = process.cpuUsage();
console.log(peakResidentMb(process.pid), (user + system) / 1e6);
process.exit(0);
