import { systemClock } from '../../src/process/in-time.ts';
import { type OwnerWatchSettings, startOwnerWatch } from './owner-watch.ts';

/** One copy of the product, as far as it watches for the owner: a process of its own that a test can kill. `OWNER_COPY`: its settings as JSON. */
const { check } = startOwnerWatch(JSON.parse(process.env['OWNER_COPY'] ?? '{}') as OwnerWatchSettings, {
  clock: systemClock,
});
process.stdout.write('ready\n');
await check();
