import { expect, test } from 'vitest';

import { createManualClock } from '../../tests/support/manual-clock.ts';
import { until } from '../../tests/support/until.ts';
import { createRepeatedLook } from './repeated-look.ts';

test('a look that fails is tried again at its next turn, and told once for each time that it fails', async () => {
  const clock = createManualClock();
  const failsAt = new Set([2, 3, 5]);
  let looks = 0;
  const said: string[] = [];
  const say = (_: object, sentence: string): void => void said.push(`${looks}: ${sentence}`);
  const repeated = createRepeatedLook({
    clock,
    everyMs: 1_000,
    look: async () => {
      looks += 1;
      if (failsAt.has(looks)) throw new Error('Connection terminated');
    },
    log: { info: say, warn: say },
    failing: 'Recaps could not be made',
  });
  repeated.start();
  for (let turn = 1; turn <= 6; turn += 1) {
    await until(`look ${turn}`, () => {
      if (looks < turn) clock.advance(1_000);
      return looks === turn;
    });
  }
  await repeated.stop();
  const [failing, over] = [
    'Recaps could not be made; trying again',
    'Recaps could not be made for a while; it works again',
  ];
  expect(said).toEqual([`2: ${failing}`, `4: ${over}`, `5: ${failing}`, `6: ${over}`]);
});
