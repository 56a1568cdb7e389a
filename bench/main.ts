import { benchAttack } from './attack.ts';
import { benchBackup } from './backup.ts';
import { benchBigTreasury } from './big-treasury.ts';
import { benchFaultMatrix } from './fault-matrix.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchOwnerTable } from './owner-table.ts';
import { benchRoleSweep } from './role-sweep.ts';
import type { Row } from './row.ts';
import { benchSaleToRole } from './sale-to-role.ts';
import { benchSoak } from './soak.ts';
import { benchStartUp } from './start-up.ts';
import { benchTableGrowth } from './table-growth.ts';
import { benchTelegramDeliveries } from './telegram-deliveries.ts';
import { benchThroughput } from './throughput.ts';
import { benchTrackerLoad } from './tracker-load.ts';
import { benchTwoCopies } from './two-copies.ts';
import { benchVerification } from './verification.ts';
import { publicUrlsAtOnce } from './public-urls.ts';
import { benchVisitors } from './visitors.ts';

/** `npm run bench [name…]`: figures of one run as a table; ratios travel between machines, absolute figures do not. */
const benches: Readonly<Record<string, () => Promise<Row[]>>> = {
  'start-up': benchStartUp,
  'big-treasury': benchBigTreasury,
  throughput: benchThroughput,
  lighthouse: benchLighthouse,
  'tracker-load': benchTrackerLoad,
  'telegram-deliveries': benchTelegramDeliveries,
  'owner-table': benchOwnerTable,
  'role-sweep': benchRoleSweep,
  'sale-to-role': benchSaleToRole,
  verification: benchVerification,
};

/** Minutes each: only by name. */
const heavyBenches: typeof benches = {
  attack: benchAttack,
  backup: benchBackup,
  'fault-matrix': benchFaultMatrix,
  'two-copies': benchTwoCopies,
  'table-growth': benchTableGrowth,
  visitors: async () => [...(await benchVisitors()), ...(await publicUrlsAtOnce())],
  /** Its last case alone. */
  'public-urls': publicUrlsAtOnce,
  soak: benchSoak,
};

// Beside the names stand the benches' own options: `--seed 3`, `--quick`.
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--') && Number.isNaN(Number(word)));
const rows: Row[] = [];
const all = wanted.length === 0 ? benches : { ...benches, ...heavyBenches };
const unknown = wanted.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(', ')}. There are ${Object.keys(all).join(', ')}.`);
  process.exit(1);
}
for (const [name, bench] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`running ${name} …`);
  rows.push(...(await bench()));
}
const width = (pick: (row: Row) => string): number => Math.max(...rows.map((row) => pick(row).length), 8);
const [whatWidth, measuredWidth] = [width((row) => row.what), width((row) => row.measured)];
for (const row of rows) {
  console.log(
    `${row.ok ? 'ok  ' : 'MISS'}  ${row.what.padEnd(whatWidth)}  ${row.measured.padEnd(measuredWidth)}  ${row.target}`,
  );
}
const missed = rows.filter(({ ok }) => !ok).length;
console.log(`${rows.length - missed} of ${rows.length} figures within their target`);
process.exitCode = missed === 0 ? 0 : 1;
