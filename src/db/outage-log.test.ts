import { expect, test } from 'vitest';

import { createOutageLog } from './outage.ts';

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const terminated = new Error('Connection terminated unexpectedly');

test('a database outage is logged once, whatever its error, and once when it is over; another failure is logged again', () => {
  const said: string[] = [];
  const say = (_: object, sentence: string): void => void said.push(sentence);
  const outages = createOutageLog({ info: say, warn: say }, 'Recaps could not be made');
  const failing = 'Recaps could not be made; trying again';
  const over = 'Recaps could not be made for a while; it works again';
  outages.done();
  expect(said).toEqual([]);
  for (const error of [refused, terminated, refused]) outages.failed(error);
  expect(said).toEqual([failing]);
  outages.done();
  outages.done();
  expect(said).toEqual([failing, over]);
  outages.failed(terminated);
  outages.failed(new Error('a rock fell'));
  outages.failed(new Error('a rock fell'));
  expect(said).toEqual([failing, over, failing, failing]);
});
