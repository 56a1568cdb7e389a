import { expect, test } from 'vitest';

import { GatewayEnded, gatewayFailureOf } from './gateway-failure.ts';

test.each([
  [4004, /refused the bot token.*Reset Token.*DISCORD_BOT_TOKEN/],
  [4010, /invalid shard.*Update the product/],
  [4011, /sharding required.*DISCORD_API_URL/],
  [4012, /version of its API.*Update the product/],
  [4013, /invalid intents.*Update the product/],
  [4014, /Privileged Gateway Intents.*Server Members Intent/],
])(
  'close code %i, after which Discord wants no further try, is said with its fix and is for a person',
  (code, words) => {
    const failure = gatewayFailureOf(new GatewayEnded(code));
    expect(failure?.sentence).toMatch(words);
    expect(failure?.isForPerson).toBe(true);
  },
);

test('any other close code is tried again by itself', () => {
  expect(gatewayFailureOf(new GatewayEnded(4000))).toMatchObject({ retryAfterMs: null });
  expect(gatewayFailureOf(new GatewayEnded(4000))?.isForPerson).toBeUndefined();
});
