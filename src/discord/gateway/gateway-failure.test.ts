import { expect, test } from 'vitest';

import { GatewayEnded, gatewayFailureOf } from './gateway-failure.ts';

test.each([
  [4004, /refused the bot token.*Reset Token.*DISCORD_BOT_TOKEN/],
  [4010, /code 4010.*Update it/],
  [4011, /sharding required.*DISCORD_API_URL/],
  [4012, /code 4012.*Update it/],
  [4013, /code 4013.*Update it/],
  [4014, /Privileged Gateway Intents.*switch on 'Server Members Intent', or apply for it/],
])('close code %i, after which Discord wants no retry, is reported with its fix as one for a person', (code, words) => {
  const failure = gatewayFailureOf(new GatewayEnded(code));
  expect(failure?.sentence).toMatch(words);
  expect(failure?.isForPerson).toBe(true);
});

test('any other close code is retried automatically', () => {
  expect(gatewayFailureOf(new GatewayEnded(4000))).toMatchObject({ retryAfterMs: null });
  expect(gatewayFailureOf(new GatewayEnded(4000))?.isForPerson).toBeUndefined();
});
