import { expect, test } from 'vitest';

import { startSandbox } from '../../sandbox/start-sandbox.ts';
import { systemClock } from '../../src/process/in-time.ts';
import { testDatabase } from '../support/database.ts';
import { openRocks } from '../support/open-rocks.ts';
import { until } from '../support/until.ts';

const minutesMs = 60_000;

test('pictures that the team moves are shown after one reading for every fifty rocks, and no rock changes its name, number or color', async () => {
  const sandbox = await startSandbox({ seed: { mintedRocks: 120 } });
  const database = await testDatabase();
  let nowMs = Date.now();
  const clock = { ...systemClock, now: () => new Date(nowMs) };
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
    for (let reading = 0; reading < Math.ceil(before.length / 50); reading += 1) {
      const { asOf } = copy.catalog.firstPage();
      nowMs += 10 * minutesMs;
      await until('it is read again', async () => {
        await database.rows(
          "update pgboss.job set start_after = now() where name = 'rocks-refresh' and state = 'created'",
        );
        return copy.catalog.firstPage().asOf !== asOf;
      });
    }
    expect(await pictures()).toEqual([moved]);
    expect(await read()).toEqual(before);
  } finally {
    await copy.stop();
    await sandbox.stop();
    await database.drop();
  }
}, 120_000);
