import { Client, Collection, Events, type Guild } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { discordPace } from '../bot.ts';
import { watchConnection } from './discord-service.ts';

const pace = { ...discordPace, readyWithinMs: 20_000, quietDropMs: 3_000, longestDropMs: 30_000 };
const silent = { info: () => {}, warn: () => {}, error: () => {} };

let client: Client;
let reports: string[];
let stop: () => void;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  stop();
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Watches a bot with that many shards that has not connected yet. */
function watch(shardCount: number): void {
  client = new Client({ intents: [] });
  Object.assign(client.ws, { shards: new Collection(Array.from({ length: shardCount }, (_, id) => [id, {}])) });
  Object.assign(client, { user: { id: '1', username: 'bot' } });
  reports = [];
  const report = {
    connected: () => void reports.push('connected'),
    troubled: (sentence: string) => void reports.push(sentence),
  };
  const onEnd = (error: Error): void => void reports.push(error.message);
  stop = watchConnection(client, { report, log: silent, pace }, onEnd);
}
const ready = (): boolean => client.emit(Events.ClientReady, client as Client<true>);
const isUp = (shardId: number): boolean => client.emit(Events.ShardReady, shardId, undefined);
const drops = (shardId: number): boolean => client.emit(Events.ShardReconnecting, shardId);
function connected(shardCount: number): void {
  watch(shardCount);
  for (let id = 0; id < shardCount; id += 1) isUp(id);
  ready();
  reports = [];
}

describe('The connections of a bot with several shards', () => {
  test('start one after the other, each with its own time limit', async () => {
    watch(10);
    for (let id = 0; id < 10; id += 1) {
      await pass(6_000);
      isUp(id);
    }
    ready();
    expect(reports).toEqual(['connected']);
  });

  test('are not given up while their servers still arrive: a shard may have a thousand', async () => {
    watch(1);
    for (let server = 0; server < 10; server += 1) {
      await pass(6_000);
      client.emit(Events.GuildAvailable, {} as Guild);
    }
    expect(reports).toEqual([]);
    await pass(20_000);
    expect(reports).toEqual(['The gateway does not answer']);
  });

  test('are given up when the next shard is not ready in time', async () => {
    watch(3);
    isUp(0);
    await pass(20_000);
    expect(reports).toEqual(['The gateway does not answer']);
  });

  test('count as connected again only when all of them are', async () => {
    connected(3);
    drops(0);
    drops(1);
    await pass(3_000);
    expect(reports).toEqual([expect.stringContaining("2 of the bot's 3 connections to Discord are down")]);
    isUp(0);
    expect(reports.at(-1)).toContain("1 of the bot's 3 connections to Discord is down");
    client.emit(Events.ShardResume, 1, 0);
    expect(reports.at(-1)).toBe('connected');
  });

  test('are all replaced because of one only after ten times as long', async () => {
    connected(3);
    drops(2);
    await pass(290_000);
    expect(reports).not.toContain('The gateway does not answer');
    await pass(10_000);
    expect(reports.at(-1)).toBe('The gateway does not answer');
  });

  test('are replaced when none of them comes back', async () => {
    connected(2);
    drops(0);
    drops(1);
    await pass(30_000);
    expect(reports.at(-1)).toBe('The gateway does not answer');
  });

  test('start no timers once they are being closed', async () => {
    connected(2);
    stop();
    const timerCount = vi.getTimerCount();
    drops(0);
    isUp(1);
    expect(vi.getTimerCount()).toBe(timerCount);
  });

  test('do not report a short drop', async () => {
    connected(2);
    drops(1);
    await pass(2_900);
    isUp(1);
    await pass(60_000);
    expect(reports).toEqual(['connected']);
  });
});
