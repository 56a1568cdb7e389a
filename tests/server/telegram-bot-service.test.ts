import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { botTalk } from '../support/bot-talk.ts';
import { databaseLine } from '../support/database-line.ts';
import { startDoomed } from '../support/doomed-copy.ts';
import { handled, quickPace, saidIn, startTelegramWorld, type TelegramWorld } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

let world: TelegramWorld;
beforeEach(async () => void (world = await startTelegramWorld()));
afterEach(() => world.end());

const { telegram, statusOf, isState, ask, answered } = botTalk(() => world);

describe('Initialize and Shutdown', () => {
  test('at first the bot is off; Initialize waits until it really runs, Shutdown until it has stopped', async () => {
    const copy = await world.copy();
    expect(await statusOf(copy)).toMatchObject({
      active: false,
      state: 'inactive',
      wanted: 'inactive',
      configCount: 0,
      mode: 'polling',
    });
    const started = await copy.call('POST', '/api/telegram/init');
    expect(started).toMatchObject({
      status: 200,
      body: { data: { active: true, state: 'active', username: 'sui_rocks_sandbox_bot' } },
    });
    await answered(ask());
    const stopped = await copy.call('POST', '/api/telegram/shutdown');
    expect(stopped).toMatchObject({
      status: 200,
      body: { data: { active: false, state: 'inactive', wanted: 'inactive' } },
    });
    await until('nobody polls', () => !telegram().counters().isPolled);
    expect((await world.audited()).map(({ action, actor }) => [action, actor])).toEqual([
      ['telegram-bot-initialized', 'chief'],
      ['telegram-bot-shut-down', 'chief'],
    ]);
  });

  test('both work from a copy that does not run the bot, and repeating them changes nothing', async () => {
    const first = await world.activeCopy();
    const second = await world.copy();
    await isState(second, 'active');
    expect(await statusOf(second)).toEqual(await statusOf(first));
    expect((await second.call('POST', '/api/telegram/shutdown')).status).toBe(200);
    expect(await statusOf(first)).toMatchObject({ state: 'inactive' });
    expect((await first.call('POST', '/api/telegram/init')).status).toBe(200);
    expect((await second.call('POST', '/api/telegram/init')).status).toBe(200);
    expect(await statusOf(second)).toMatchObject({ state: 'active' });
    expect(await world.audited()).toHaveLength(3);
  });

  test('a restart brings the bot back as it was: running, or off', async () => {
    const first = await world.activeCopy();
    await first.stop();
    const second = await world.copy();
    await isState(second, 'active');
    await answered(ask());
    await second.call('POST', '/api/telegram/shutdown');
    await second.stop();
    const third = await world.copy();
    await until('the third copy has read the state', async () => (await statusOf(third))['state'] === 'inactive');
    expect(telegram().counters().isPolled).toBe(false);
  });

  test('while the bot is off it sends Telegram no request, and messages from that time are answered afterwards', async () => {
    const copy = await world.activeCopy();
    await copy.call('POST', '/api/telegram/shutdown');
    telegram().resetCounters();
    const asked = ask();
    expect((await copy.call('GET', '/api/telegram/status')).status).toBe(200);
    expect(telegram().calls()).toEqual([]);
    await copy.call('POST', '/api/telegram/init');
    await answered(asked);
  });

  test('without a token everything but the bot works, and Initialize says what to do', async () => {
    const copy = await world.copy({ botToken: null });
    expect(await statusOf(copy)).toMatchObject({ active: false, state: 'not-configured', username: null });
    const refused = await copy.call('POST', '/api/telegram/init');
    expect(refused).toMatchObject({ status: 409, body: { code: 'bot-not-configured' } });
    expect(refused.body.message).toContain('TELEGRAM_BOT_TOKEN');
    expect((await copy.call('POST', '/api/telegram/shutdown')).status).toBe(200);
    expect((await copy.call('GET', '/api/telegram/configs')).body.data).toEqual([]);
    expect(copy.telegram.listener).toBeNull();
  });
});

describe('one copy runs the bot', () => {
  test('exactly one of three polls; when it stops properly, another takes over at once', async () => {
    const copies = [await world.activeCopy(), await world.copy(), await world.copy()];
    for (let round = 0; round < 5; round += 1) await answered(ask());
    expect(telegram().counters().refusals['409'] ?? 0).toBe(0);
    await copies[0]!.stop();
    await answered(ask());
    expect(telegram().counters().refusals['409'] ?? 0).toBe(0);
  });

  test('within 3 seconds of a kill -9 another copy has taken over, and messages from that time are answered', async () => {
    const doomed = await startDoomed(world);
    // As slow as in production.
    const heir = await world.copy({
      pace: { firstRetryMs: 1_000, longestRetryMs: 30_000 },
    });
    await isState(heir, 'active');
    await doomed.end('SIGKILL');
    const killedAtMs = performance.now();
    await saidIn(world, telegram().seeded.adminId, 'keep watch', ask());
    expect(performance.now() - killedAtMs).toBeLessThan(3_000);
    expect(await statusOf(heir)).toMatchObject({ state: 'active' });
  });

  test('an update is confirmed only after it is stored: if a copy dies while handling it, the next one handles it', async () => {
    const doomed = await startDoomed(world, quickPace);
    await world.sandbox.faults.set('market', { kind: 'hang' });
    const { forumId, adminId } = telegram().seeded;
    const text = `/setup ${world.sandbox.facts.collectionType}`;
    const { messageId } = telegram().type({ chatId: forumId, userId: adminId, text });
    await until('the bot handles the command', () => world.sandbox.requests.of('market').inFlight > 0);
    // Another chat does not wait for it.
    await answered(ask());
    await until('the update is confirmed', () => telegram().counters().pendingUpdates === 0);
    await doomed.end('SIGKILL');
    await world.sandbox.faults.clear('market');
    await world.copy();
    await saidIn(world, forumId, 'maximum supply', messageId, 25_000);
    await handled(world);
  });
});

describe('when Telegram refuses or is away', () => {
  test('a refused token gives a failing state and a sentence that says what to do', async () => {
    const copy = await world.copy({ botToken: '999999999:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' });
    const answer = await copy.call('POST', '/api/telegram/init');
    expect(answer).toMatchObject({ status: 503, body: { code: 'bot-failing' } });
    expect(answer.body.message).toMatch(/refused the bot token.*@BotFather.*TELEGRAM_BOT_TOKEN/);
    expect(await statusOf(copy)).toMatchObject({
      active: false,
      state: 'failing',
      wanted: 'active',
      lastError: { message: answer.body.message },
    });
    expect(JSON.stringify(await statusOf(copy))).not.toContain('AAAAAAAA');
  });

  test('another program that polls with the token is reported, and the bot recovers by itself when that ends', async () => {
    const copy = await world.activeCopy();
    const { urls, facts } = world.sandbox;
    const rival = new AbortController();
    const poll = async (): Promise<void> => {
      while (!rival.signal.aborted) {
        await fetch(`${urls.telegram}/bot${facts.telegramBotToken}/getUpdates?timeout=20&offset=-1`, {
          signal: rival.signal,
        }).catch(() => {});
      }
    };
    const polling = poll();
    await until('the other program is reported', async () =>
      /Another program polls with this token/.test(JSON.stringify((await statusOf(copy))['lastError'])),
    );
    rival.abort();
    await polling;
    await isState(copy, 'active');
    await answered(ask());
  });

  test('an outage is a visible state with back-off, and ends by itself', async () => {
    const copy = await world.activeCopy();
    await world.sandbox.faults.set('telegram', { kind: '503' });
    // Ends the long poll that is under way.
    const asked = ask();
    await isState(copy, 'failing');
    expect(await statusOf(copy)).toMatchObject({
      wanted: 'active',
      lastError: { message: 'Telegram reports an internal error.' },
    });
    await world.sandbox.faults.clear('telegram');
    await isState(copy, 'active');
    await answered(asked);
  });

  test.each(['wrong-types', 'empty'] as const)(
    'the identity of the bot is asked for again after an answer that is %s',
    async (kind) => {
      const copy = await world.copy();
      await world.sandbox.faults.set('telegram', { kind, operation: 'getMe', times: 1 });
      await copy.call('POST', '/api/telegram/init');
      await isState(copy, 'active');
      expect(await statusOf(copy)).toMatchObject({ username: 'sui_rocks_sandbox_bot' });
      await answered(ask());
    },
  );

  test('while the database is away an update waits at Telegram, and is answered afterwards', async () => {
    const line = await databaseLine(world.database.url);
    const copy = await world.activeCopy({ databaseUrl: line.url });
    const { groupId, adminId } = telegram().seeded;
    line.cut();
    const { messageId } = telegram().type({ chatId: groupId, userId: adminId, text: '/tracking' });
    // Noticed first by the storing of the update, or by the lock that the bot's copy holds.
    const noticed = /does not run: The database did not answer|The lock '[^']*' could not be kept/;
    await until('the outage is noticed', () => noticed.test(world.log()));
    expect(telegram().counters().pendingUpdates).toBe(1);
    await line.mend();
    await saidIn(world, groupId, 'No collection is configured here yet', messageId, 20_000);
    await isState(copy, 'active');
    expect(world.log().split('does not run').at(-1)).toContain('The Telegram bot runs');
    await copy.stop();
    await line.end();
  });

  test('commands are registered once: a restart leaves them unchanged', async () => {
    const first = await world.activeCopy();
    await first.stop();
    telegram().resetCounters();
    const second = await world.copy();
    await isState(second, 'active');
    const { methods } = telegram().counters();
    expect(methods['setMyCommands'] ?? 0).toBe(0);
    expect(methods['setMyShortDescription'] ?? 0).toBe(0);
    expect(methods['getMyCommands']).toBe(3);
  });

  test('the bot requests exactly the updates that it handles', async () => {
    await world.activeCopy();
    const polled = telegram()
      .calls()
      .find(({ method }) => method === 'getUpdates');
    expect(JSON.parse(polled?.parameters['allowed_updates'] ?? '')).toEqual([
      'message',
      'callback_query',
      'my_chat_member',
    ]);
  });
});
