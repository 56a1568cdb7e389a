import type { Row } from './row.ts';

/** `npm run bench [name…]`: figures of one run as a table; ratios travel between machines, absolute figures do not. */
const benches: Readonly<Record<string, () => Promise<Row[]>>> = {
  'start-up': async () => (await import('./start-up.ts')).benchStartUp(),
  'big-treasury': async () => (await import('./big-treasury.ts')).benchBigTreasury(),
  throughput: async () => (await import('./throughput.ts')).benchThroughput(),
  lighthouse: async () => (await import('./lighthouse.ts')).benchLighthouse(),
  'tracker-load': async () => (await import('./tracker-load.ts')).benchTrackerLoad(),
  'telegram-deliveries': async () => (await import('./telegram-deliveries.ts')).benchTelegramDeliveries(),
  'owner-table': async () => (await import('./owner-table.ts')).benchOwnerTable(),
  'role-sweep': async () => (await import('./role-sweep.ts')).benchRoleSweep(),
  'sale-to-role': async () => (await import('./sale-to-role.ts')).benchSaleToRole(),
  verification: async () => (await import('./verification.ts')).benchVerification(),
};

const publicUrls = async (): Promise<Row[]> => (await import('./public-urls.ts')).publicUrlsAtOnce();

/** Minutes each: only by name. */
const heavyBenches: typeof benches = {
  attack: async () => (await import('./attack.ts')).benchAttack(),
  backup: async () => (await import('./backup.ts')).benchBackup(),
  'fault-matrix': async () => (await import('./fault-matrix.ts')).benchFaultMatrix(),
  'two-copies': async () => (await import('./two-copies.ts')).benchTwoCopies(),
  'table-growth': async () => (await import('./table-growth.ts')).benchTableGrowth(),
  visitors: async () => [...(await (await import('./visitors.ts')).benchVisitors()), ...(await publicUrls())],
  /** Its last case alone. */
  'public-urls': publicUrls,
  soak: async () => (await import('./soak.ts')).benchSoak(),
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
