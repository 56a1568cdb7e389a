import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts';
import type { SessionLock } from '../../src/db/session-lock.ts';
import type { SourceReading } from '../../src/shared/source-status.ts';
import { type Child, startChild } from '../support/child.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { heldLock } from '../support/held-lock.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { type OwnerWatchSettings, startOwnerWatch } from '../support/owner-watch.ts';
import { until } from '../support/until.ts';

/** The owner is notified of each failure and of its end, once each (docs/decisions/0023). */
let sandbox: Sandbox;
let database: TestDatabase;
let clock: ManualClock;
let chatId: number;
let channelId: string;
let readings: SourceReading[];
let lastError: string | null;
const copies: ReturnType<typeof startOwnerWatch>[] = [];
const children: Child[] = [];
/** The lock of the copy that runs the bot. */
let lock: SessionLock | null = null;
let log = '';

beforeEach(async () => {
  sandbox = await startSandbox({ telegramLimits: false, discordLimits: false });
  database = await testDatabase();
  clock = createManualClock(new Date());
  [chatId = 0] = sandbox.telegram.createGroups({ count: 1 });
  channelId = [...(sandbox.discord.guilds()[0]?.channels.keys() ?? [])][0] ?? '';
  readings = [];
  lastError = null;
  log = '';
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end('SIGKILL')));
  await Promise.all(copies.splice(0).map(({ end }) => end()));
  await lock?.stop();
  lock = null;
  await sandbox.stop();
  await database.drop();
});

const settings = (platform: 'telegram' | 'discord' = 'telegram'): OwnerWatchSettings => ({
  databaseUrl: database.url,
  platform,
  chatId: platform === 'telegram' ? String(chatId) : channelId,
  token: platform === 'telegram' ? sandbox.facts.telegramBotToken : sandbox.facts.discordBotToken,
  apiUrl: platform === 'telegram' ? sandbox.urls.telegram : `${sandbox.urls.discord}/api`,
});
const copy = (platform?: 'telegram' | 'discord') => {
  const made = startOwnerWatch(settings(platform), {
    clock,
    sources: () => readings,
    lastError: () => lastError,
    write: (line) => void (log += line),
  });
  copies.push(made);
  return made;
};
/** Time passes, and each copy checks every 30 seconds. */
const look = async (seconds: number): Promise<void> => {
  for (let passed = 0; passed < seconds; passed += 30) {
    clock.advance(30_000);
    await firstLook();
  }
};
const minutes = async (count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) await look(60);
};
const firstLook = async (): Promise<void> => {
  for (const { check } of copies) await check();
};
const said = (): readonly string[] =>
  sandbox.telegram.history(chatId).flatMap(({ from, text }) => (from.is_bot && text !== null ? [text] : []));
const botIs = async (running: boolean): Promise<void> => {
  await database.rows(`update telegram_service set wanted = 'active', state = $1`, [running ? 'active' : 'failing']);
  lock ??= await heldLock(database.url, 'telegram bot');
};
const removalWaits = () =>
  database.rows(`with guild as (insert into discord_guilds (guild_id, name) values ('7', 'Rock Mountain') returning guild_id)
    insert into discord_removal_batches (guild_id, holder_count) select guild_id, 40 from guild`);

describe('A failure', () => {
  it('is reported once, with what, since when, what it means and where to look, and once more when it is over', async () => {
    await botIs(true);
    copy();
    await firstLook();
    await botIs(false);
    lastError = 'Unauthorized @everyone: the token is refused';
    await look(30);
    await look(60);
    expect(said()).toEqual([]);
    await look(60);
    expect(said()).toHaveLength(1);
    expect(said()[0]).toMatch(
      /^Sui Rocks: The Telegram bot does not run\. Its last error: Unauthorized \(at\)everyone: .*\nSince \d{4}-\d\d-\d\d \d\d:\d\d UTC \(2 min\)\.\nGroups get no notifications.*\nThe tab 'Telegram Bot'.*\nhttps:\/\/rocks\.example\/admin$/s,
    );
    await minutes(30);
    expect(said()).toHaveLength(1);
    await botIs(true);
    await look(30);
    await look(270);
    expect(said()).toHaveLength(1);
    await look(60);
    expect(said().slice(1)).toEqual([
      // Without the five minutes for which all had to be well.
      expect.stringMatching(
        /^Sui Rocks: The Telegram bot runs again\. The alarm lasted from \d{4}.* UTC to \d{4}.* UTC \(33 min\)\.$/,
      ),
    ]);
    await minutes(10);
    expect(said()).toHaveLength(2);
  });

  it('that comes and goes is one alarm, and one that lasts only a moment is none', async () => {
    copy();
    await firstLook();
    for (let round = 0; round < 10; round += 1) {
      await botIs(false);
      await look(60);
      await botIs(true);
      await look(60);
    }
    expect(said()).toEqual([]);
    await botIs(false);
    await minutes(3);
    for (let round = 0; round < 10; round += 1) {
      await botIs(true);
      await look(120);
      await botIs(false);
      await look(60);
    }
    expect(said()).toHaveLength(1);
  });

  it('is reported by one of two copies, and not again after a restart', async () => {
    await removalWaits();
    copy();
    copy();
    await firstLook();
    copy();
    await firstLook();
    await minutes(3);
    expect(said()).toEqual([expect.stringContaining('Many members of a server would lose their role at once.')]);
  });

  it('of a source is reported by name once it was not read for a quarter of an hour', async () => {
    copy();
    await firstLook();
    readings = [
      { source: 'chain', readAt: clock.now() },
      { source: 'prices', readAt: null },
      { source: 'marketplace', readAt: clock.now() },
    ];
    await look(14 * 60);
    await look(60);
    expect(said()).toEqual([]);
    await minutes(3);
    expect(said().map((text) => text.split('\n')[0])).toEqual([
      'Sui Rocks: The chain cannot be read.',
      'Sui Rocks: The marketplace cannot be read.',
      'Sui Rocks: The price service cannot be read.',
    ]);
  });

  it('of the database is reported when it answers again, once for all copies', async () => {
    const [one, other] = [copy(), copy()];
    await firstLook();
    one.isSilent.now = other.isSilent.now = true;
    await minutes(5);
    expect(said()).toEqual([]);
    one.isSilent.now = other.isSilent.now = false;
    await look(30);
    await look(30);
    // Counted from the last check before the outage.
    expect(said()).toEqual([expect.stringMatching(/^Sui Rocks: Nothing was checked from .* to .* \(6 min\)\./)]);
  });
});

describe('The message', () => {
  it('waits while the platform is down, and is sent in order when it is back', async () => {
    await sandbox.faults.set('telegram', { kind: 'refused' });
    await removalWaits();
    copy();
    await firstLook();
    await database.rows("update discord_removal_batches set state = 'refused', decided_at = now()");
    await minutes(7);
    expect(said()).toEqual([]);
    await sandbox.faults.clear('telegram');
    await look(30);
    expect(said()).toEqual([
      expect.stringContaining('Many members of a server would lose their role'),
      expect.stringContaining('The mass removal was decided'),
    ]);
  });

  it('goes to a Discord channel as plain text, pings nobody there, and is logged if it is refused', async () => {
    copy('discord');
    await firstLook();
    await botIs(false);
    lastError = '@everyone <@&1> [a](https://evil.example)';
    await minutes(4);
    const [message] = sandbox.discord.history(channelId).slice(-1);
    expect(message?.content).toContain('(at\\)everyone \\<\\(at\\)&1\\> \\[a\\]\\(https:\u200B//evil.example\\)\n');
    expect(JSON.stringify(sandbox.discord.calls().at(-1))).toContain('"allowed_mentions":{"parse":[]}');
    sandbox.discord.deleteChannel({ channelId });
    await botIs(true);
    await minutes(8);
    expect(log).toMatch(/The channel was deleted\..*Alarms could not be sent to the owner/);
  });

  it('does not delay the shutdown of the product while the platform does not answer', async () => {
    await sandbox.faults.set('telegram', { kind: 'accepted-hang', operation: 'sendMessage' });
    await removalWaits();
    const { end, check } = copy();
    void check();
    await until('it is on its way', () => said().length === 1);
    // The call to Telegram would take longer than a test may.
    await end();
    copies.pop();
  });

  it('is sent at most twice if the platform takes messages and never answers', async () => {
    await database.rows(
      "insert into owner_messages (text, telling_since) values ('(You may have been told this before.)\n' || 'x', now() - interval '61 seconds')",
    );
    copy();
    await firstLook();
    await minutes(3);
    expect(said()).toEqual([]);
    expect(await database.rows('select 1 from owner_messages where told_at is null')).toEqual([]);
  });

  it('is repeated at most once, and says so, when a copy is killed before it knew that it arrived', async () => {
    await removalWaits();
    await sandbox.faults.set('telegram', { kind: 'accepted-hang', operation: 'sendMessage' });
    const child = startChild('tests/support/owner-copy.ts', [], { OWNER_COPY: JSON.stringify(settings()) });
    children.push(child);
    await until('it arrived', () => said().length === 1);
    await child.end('SIGKILL');
    await sandbox.faults.clear('telegram');
    copy();
    await firstLook();
    await minutes(3);
    expect(said().slice(1)).toEqual([`(You may have been told this before.)\n${said()[0]}`]);
  });
});
