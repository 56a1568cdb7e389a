import { systemClock } from '../../src/process/in-time.ts';
import { type OwnerWatchSettings, startOwnerWatch } from './owner-watch.ts';

/** The owner's alarm of one copy, in its own process that a test can kill. `OWNER_COPY`: its settings as JSON. */
const { check } = startOwnerWatch(JSON.parse(process.env['OWNER_COPY'] ?? '{}') as OwnerWatchSettings, {
  clock: systemClock,
});
process.stdout.write('ready\n');
await check();
