import { Client, Collection, Events, type Guild } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { discordPace } from '../bot.ts';
import { watchConnection } from './discord-service.ts';

const pace = { ...discordPace, readyWithinMs: 20_000, quietDropMs: 3_000, longestDropMs: 30_000 };
const silent = { info: () => {}, warn: () => {}, error: () => {} };

let client: Client;
let said: string[];
let stop: () => void;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Follows a bot of so many shards that has not connected yet. */
function watch(shardCount: number): void {
  client = new Client({ intents: [] });
  Object.assign(client.ws, { shards: new Collection(Array.from({ length: shardCount }, (_, id) => [id, {}])) });
  Object.assign(client, { user: { id: '1', username: 'bot' } });
  said = [];
  const report = {
    connected: () => void said.push('connected'),
    troubled: (sentence: string) => void said.push(sentence),
  };
  const onEnd = (error: Error): void => void said.push(error.message);
  stop = watchConnection(client, { report, log: silent, pace }, onEnd);
}
const ready = (): boolean => client.emit(Events.ClientReady, client as Client<true>);
const isUp = (shardId: number): boolean => client.emit(Events.ShardReady, shardId, undefined);
const drops = (shardId: number): boolean => client.emit(Events.ShardReconnecting, shardId);
function connected(shardCount: number): void {
  watch(shardCount);
  for (let id = 0; id < shardCount; id += 1) isUp(id);
  ready();
  said = [];
}

describe('The connections of a bot with several shards', () => {
  test('begin one after the other: each has its own time until it is ready', async () => {
    watch(10);
    for (let id = 0; id < 10; id += 1) {
      await pass(6_000);
      isUp(id);
    }
    ready();
    expect(said).toEqual(['connected']);
  });

  test('have all the time in which their servers come in: a shard may have a thousand', async () => {
    watch(1);
    for (let server = 0; server < 10; server += 1) {
      await pass(6_000);
      client.emit(Events.GuildAvailable, {} as Guild);
    }
    expect(said).toEqual([]);
    await pass(20_000);
    expect(said).toEqual(['The gateway does not answer']);
  });

  test('are given up when the next shard does not come in time', async () => {
    watch(3);
    isUp(0);
    await pass(20_000);
    expect(said).toEqual(['The gateway does not answer']);
  });

  test('make the bot connected again only when all of them are', async () => {
    connected(3);
    drops(0);
    drops(1);
    await pass(3_000);
    expect(said).toEqual([expect.stringContaining("2 of the bot's 3 connections to Discord are down")]);
    isUp(0);
    expect(said.at(-1)).toContain("1 of the bot's 3 connections to Discord is down");
    client.emit(Events.ShardResume, 1, 0);
    expect(said.at(-1)).toBe('connected');
  });

  test('are not all made anew because one of them is down for a while', async () => {
    connected(3);
    drops(2);
    await pass(290_000);
    expect(said).not.toContain('The gateway does not answer');
    await pass(10_000);
    expect(said.at(-1)).toBe('The gateway does not answer');
  });

  test('are made anew when none of them comes back', async () => {
    connected(2);
    drops(0);
    drops(1);
    await pass(30_000);
    expect(said.at(-1)).toBe('The gateway does not answer');
  });

  test('start no wait any more once they are being closed', async () => {
    connected(2);
    stop();
    const timerCount = vi.getTimerCount();
    drops(0);
    isUp(1);
    expect(vi.getTimerCount()).toBe(timerCount);
  });

  test('a drop that is mended soon is nobody’s business', async () => {
    connected(2);
    drops(1);
    await pass(2_900);
    isUp(1);
    await pass(60_000);
    expect(said).toEqual(['connected']);
  });
});
