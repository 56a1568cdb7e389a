import { expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { testDatabase } from '../support/database.ts';
import { openRocks } from '../support/open-rocks.ts';
import { until } from '../support/until.ts';

const minutesMs = 60_000;

test('pictures that the team moves are shown within two hours, and no rock changes its name, number or color', async () => {
  const sandbox = await startSandbox();
  const database = await testDatabase();
  let passedMs = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + passedMs) };
  const copy = openRocks(sandbox, database, { clock });
  try {
    await copy.start();
    const read = () => database.rows('select object_id, number, name, color from rocks order by object_id');
    const pictures = async (): Promise<readonly string[]> =>
      (await database.rows<{ url: string }>('select distinct image_url as url from rocks')).map(({ url }) => url);
    const before = await read();
    const moved = 'https://moved.example/rock.png';
    const fields = { name: 'Other #1', image_url: moved, attributes: null, color: 'Azure Pulse' };
    sandbox.world.setDisplay({ collection: 'rocks', kind: 'version-2', fields });
    for (let reading = 0; reading < 12; reading += 1) {
      const { asOf } = copy.catalog.firstPage().data;
      passedMs += 10 * minutesMs;
      await database.rows(
        "update pgboss.job set start_after = now() where name = 'rocks-refresh' and state = 'created'",
      );
      await until('it is read again', () => copy.catalog.firstPage().data.asOf !== asOf, 40_000);
    }
    expect(await pictures()).toEqual([moved]);
    expect(await read()).toEqual(before);
  } finally {
    await copy.stop();
    await sandbox.stop();
    await database.drop();
  }
}, 120_000);
