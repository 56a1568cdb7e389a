import type { Row } from './row.ts';

type Bench = () => Promise<Row[]>;

function brokenOff(part: string, error: unknown): Row {
  console.error(error);
  return { what: part, measured: 'broke off', target: 'runs to its end', ok: false };
}

/** `npm run bench [name…]`: the figures of one run as a table. Ratios hold on other machines too, absolute figures do not. */
const quick: Readonly<Record<string, Readonly<Record<string, Bench>>>> = {
  site: {
    'start-up': async () => (await import('./start-up.ts')).benchStartUp(),
    'big-treasury': async () => (await import('./big-treasury.ts')).benchBigTreasury(),
    throughput: async () => (await import('./throughput.ts')).benchThroughput(),
    lighthouse: async () => (await import('./lighthouse.ts')).benchLighthouse(),
  },
  past: {
    ledger: async () => (await import('./ledger.ts')).benchLedger(),
    rocks: async () => (await import('./rocks.ts')).benchRocks(),
  },
  payouts: { payouts: async () => (await import('./payouts.ts')).benchPayouts() },
  telegram: {
    'tracker-load': async () => (await import('./tracker-load.ts')).benchTrackerLoad(),
    'telegram-deliveries': async () => (await import('./telegram-deliveries.ts')).benchTelegramDeliveries(),
  },
  roles: {
    'owner-table': async () => (await import('./owner-table.ts')).benchOwnerTable(),
    'role-sweep': async () => (await import('./role-sweep.ts')).benchRoleSweep(),
    'sale-to-role': async () => (await import('./sale-to-role.ts')).benchSaleToRole(),
    verification: async () => (await import('./verification.ts')).benchVerification(),
  },
};

/** These take minutes each, so they run only by name. */
const long: typeof quick = {
  'two-copies': { 'two-copies': async () => (await import('./two-copies.ts')).benchTwoCopies() },
  visitors: {
    'visitors-at-once': async () => (await import('./visitors.ts')).benchVisitors(),
    'public-urls': async () => (await import('./public-urls.ts')).publicUrlsAtOnce(),
  },
  'ledger-kills': { 'ledger-kills': async () => (await import('./ledger-kills.ts')).benchLedgerKills() },
  'payout-kills': { 'payout-kills': async () => (await import('./payout-kills.ts')).benchPayoutKills() },
  soak: { soak: async () => (await import('./soak.ts')).benchSoak() },
  /** Also as `npm run attack` and `npm run faults`. */
  attack: { attack: async () => (await import('./attack.ts')).benchAttack() },
  faults: { 'fault-matrix': async () => (await import('./fault-matrix.ts')).benchFaultMatrix() },
};

// The names may be mixed with options of the benches: `--seed 3`, `--quick`.
const isOption = (word: string): boolean => word.startsWith('--') && word !== '--help';
const wanted = process.argv.slice(2).filter((word) => !isOption(word) && Number.isNaN(Number(word)));
const all = wanted.length === 0 ? quick : { ...quick, ...long };
const names = new Set(Object.entries(all).flatMap(([name, parts]) => [name, ...Object.keys(parts)]));
const unknown = wanted.filter((name) => !names.has(name));
if (unknown.length > 0) {
  const list = Object.entries(all).map(([name, parts]) => `  ${name}: ${Object.keys(parts).join(', ')}`);
  const isHelp = unknown.includes('--help');
  const refusal = isHelp ? '' : `No such bench: ${unknown.join(', ')}. `;
  console.error(`${refusal}The benches and their parts, which also run by name:`);
  console.error(list.join('\n'));
  process.exit(isHelp ? 0 : 1);
}
const rows: Row[] = [];
for (const [name, parts] of Object.entries(all)) {
  for (const [part, bench] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name) && !wanted.includes(part)) continue;
    console.error(`running ${part} …`);
    // A bench that breaks off is a miss of its own: the others have taken half an hour.
    rows.push(...(await bench().catch((error: unknown) => [brokenOff(part, error)])));
  }
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
