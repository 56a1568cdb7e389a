import type { Update } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../support/database.ts';
import { given, inboxCopy, type InboxCopy, member, said, title, wordsOf } from '../support/inbox-copy.ts';
import { until } from '../support/until.ts';

/** An update is stored before it is confirmed to Telegram, and is handled by the job of its chat, in any copy. */
let database: TestDatabase;
let copies: InboxCopy[];
beforeEach(async () => {
  database = await testDatabase();
  copies = [];
});
afterEach(async () => {
  await Promise.all(copies.map((copy) => copy.end()));
  await database.drop();
});

const startCopy = async (
  handle?: (update: Update) => Promise<void>,
  isAdmin?: (personId: number) => boolean,
): Promise<InboxCopy> => {
  const copy = await inboxCopy(database, handle, isAdmin);
  copies.push(copy);
  return copy;
};
const never = () => new Promise<void>(() => {});
const waiting = () => database.rows('select update_id from telegram_inbox where handled_at is null order by update_id');
const isDone = async (): Promise<boolean> => (await waiting()).length === 0;

describe('the inbox stores', () => {
  test('everything for the bot before it is handled, and never a sticker or a text in a group', async () => {
    const copy = await startCopy(never);
    await copy.take(
      given([said('/remove', { id: 101 }), title('Stones', -6), said('/floor'), said(''), said('hello')]),
    );
    expect(await database.rows('select chat_id from telegram_inbox order by chat_id')).toEqual([
      { chat_id: '-6' },
      { chat_id: '-5' },
      { chat_id: '-5' },
    ]);
    await until('two updates are being handled', () => copy.handled.length === 2);
  });

  test('only the id of a sender', async () => {
    const copy = await startCopy(never);
    const [command] = given([said('/remove')]);
    const from = { ...command!.message!.from, first_name: 'Cleo' };
    await copy.take([{ ...command!, message: { ...command!.message!, from } }] as never);
    const [row] = await database.rows<{ kept: string }>('select update::text as kept from telegram_inbox');
    expect(row?.kept).toContain(`"id":${from.id}`);
    expect(row?.kept).not.toContain('Cleo');
  });

  test("a member's command, which is refused without holding up others in the chat", async () => {
    const copy = await startCopy();
    await copy.take(given([said('/remove', { from: member }), said('/tracking')]));
    await until('both are handled', isDone);
    expect(copy.handled).toEqual(['refused /remove', '/tracking']);
  });

  test('a hundred chats at once, and deletes the content of their updates afterwards', async () => {
    const copy = await startCopy();
    await copy.take(given(Array.from({ length: 100 }, (_none, index) => title(`${index}`, -index - 1))));
    await until('all are handled', isDone);
    expect(copy.handled).toHaveLength(100);
    expect(await database.rows('select 1 from telegram_inbox where update is not null')).toEqual([]);
  });

  test('whatever people type', async () => {
    const copy = await startCopy();
    await copy.take(given([said('/setup \0 \ud800 \\u0000 🪨')]));
    await until('the update is handled', isDone);
    expect(copy.handled).toEqual(['/setup \0 \ud800 \\u0000 🪨']);
  });

  test('nothing without the database: the update is then delivered again, and counts once', async () => {
    const copy = await startCopy();
    const update = given([said('/remove')]);
    await database.rows('alter table telegram_inbox rename to elsewhere');
    await expect(copy.take(update)).rejects.toThrow('telegram_inbox');
    await database.rows('alter table elsewhere rename to telegram_inbox');
    await copy.take(update);
    await until('the update is handled', isDone);
    expect(copy.handled).toEqual(['/remove']);
  });
});

test('an update is stored with the job that handles it, or not at all', async () => {
  const copy = await startCopy();
  await database.rows('alter schema pgboss rename to elsewhere');
  await expect(copy.take(given([said('/remove', { id: 7_777 })]))).rejects.toThrow('pgboss');
  await database.rows('alter schema elsewhere rename to pgboss');
  expect(await waiting()).toEqual([]);
});

describe('an update is handled once', () => {
  test('however often it is delivered', async () => {
    const copy = await startCopy();
    const update = title('Stones');
    await Promise.all(Array.from({ length: 50 }, () => copy.take(given([update]))));
    await until('the update is handled', isDone);
    await copy.take(given([update]));
    expect(copy.handled).toEqual(['Stones']);
  });

  test('when it is delivered to two copies, and again after it was handled', async () => {
    const [a, b] = [await startCopy(), await startCopy()];
    const update = given([said('/remove')]);
    await Promise.all([a.take(update), b.take(update)]);
    await until('the update is handled', isDone);
    const restarted = await startCopy();
    await restarted.take(update);
    await restarted.take(given([title('later')]));
    await until('the later one is handled', isDone);
    expect([...a.handled, ...b.handled, ...restarted.handled].toSorted()).toEqual(['/remove', 'later']);
  });
});

describe('a copy that ends', () => {
  test('leaves unfinished updates to the next', async () => {
    const first = await startCopy(never);
    await first.take(given([said('/tracking'), said('/remove')]));
    await until('the first update is being handled', () => first.handled.length === 1);
    await first.end();
    const next = await startCopy();
    await until('the other copy has handled them', isDone, 20_000);
    expect(next.handled).toEqual(['/tracking', '/remove']);
  });

  test('ten times because of one update does not try it an eleventh time', async () => {
    await database.rows(
      `insert into telegram_inbox (update_id, chat_id, update, attempts) values
        (1, -5, '${JSON.stringify(title('deadly'))}', 10), (2, -6, '${JSON.stringify(title('harmless', -6))}', 9)`,
    );
    const copy = await startCopy();
    await copy.handleWaiting();
    await copy.handleChats([-5]);
    await until('the later one is taken', () => copy.handled.length > 0);
    expect(copy.handled).toEqual(['harmless']);
  });
});

test('an update that could not be handled, because Telegram is away, is retried after a pause', async () => {
  const triedAtMs: number[] = [];
  const copy = await startCopy(async () => {
    triedAtMs.push(performance.now());
    if (triedAtMs.length === 1) throw new Error('gone');
  });
  await copy.take(given([said('/remove')]));
  await until('the update is handled', async () => triedAtMs.length > 0 && (await isDone()));
  expect(triedAtMs).toHaveLength(2);
  expect(triedAtMs[1]! - triedAtMs[0]!).toBeGreaterThan(500);
});

test('a command whose author cannot be checked at Telegram is retried for a minute, however many updates follow, and then refused', async () => {
  let asked = 0;
  const copy = await startCopy(undefined, () => {
    asked += 1;
    throw new Error('Telegram is gone');
  });
  await copy.take(given([said('/remove')]));
  // Each of these updates starts the job of the chat at once.
  for (let times = 1; times <= 12; times += 1) {
    await copy.take(given([title(`title ${times}`)]));
    await until('the command is retried', () => asked > times);
  }
  expect(copy.handled).toEqual([]);
  await database.rows("update telegram_inbox set received_at = received_at - interval '1 minute'");
  await copy.handleChats([-5]);
  await until('all is handled', isDone);
  expect(copy.handled.slice(0, 2)).toEqual(['refused /remove', 'title 1']);
});

describe('the updates of a chat', () => {
  test('are all handled, in order of arrival, while other chats do not wait', async () => {
    const release = Promise.withResolvers<void>();
    const copy = await startCopy(() => release.promise);
    const words = Array.from({ length: 70 }, (_none, index) => `title ${index}`);
    await copy.take(given(words.map((each) => title(each))));
    await copy.take(given([title('elsewhere', -8)]));
    await until('both chats are being handled', () => copy.handled.length === 2);
    release.resolve();
    await until('all are handled', isDone);
    expect(copy.handled.filter((each) => each !== 'elsewhere')).toEqual(words);
  });

  test('are not handled by two copies at once', async () => {
    const release = Promise.withResolvers<void>();
    const [a, b] = [await startCopy(() => release.promise), await startCopy(() => release.promise)];
    const order = () => [...a.handled, ...b.handled];
    await a.take(given([title('first')]));
    await until('the first update is being handled', () => order().length === 1);
    await b.take(given([title('second')]));
    await b.take(given([title('elsewhere', -7)]));
    await until('the other chat is being handled', () => order().includes('elsewhere'));
    expect(order()).not.toContain('second');
    release.resolve();
    await until('both are handled', isDone);
    expect(order().toSorted()).toEqual(['elsewhere', 'first', 'second']);
  });

  test('do not wait for a dozen other chats that hang', async () => {
    const copy = await startCopy((update) => (wordsOf(update) === 'hang' ? never() : Promise.resolve()));
    await copy.take(given(Array.from({ length: 12 }, (_none, index) => title('hang', -100 - index))));
    await copy.take(given([title('quick')]));
    await until('the quick one is handled', () => copy.handled.includes('quick'), 5_000);
  });

  test('are answered within a second while 10,000 updates of another chat wait', async () => {
    await database.rows(
      `insert into telegram_inbox (update_id, chat_id, update)
       select 1000000 + i, -6, '${JSON.stringify(title('flood', -6))}'::jsonb || jsonb_build_object('update_id', 1000000 + i)
       from generate_series(1, 10000) i`,
    );
    const copy = await startCopy();
    await copy.handleWaiting();
    await until('the flood is being handled', () => copy.handled.length > 0);
    const askedAtMs = performance.now();
    await copy.take(given([said('/remove')]));
    await until('the admin is answered', () => copy.handled.includes('/remove'));
    expect(performance.now() - askedAtMs).toBeLessThan(1_000);
  });
});

test('a message for a basic group that removed the bot and did not become a supergroup is dropped after a minute', async () => {
  await database.rows(
    `insert into telegram_chats (chat_id, kind, title, bot_status, removed_at) values
      (-71, 'group', 'Gone', 'kicked', now() - interval '2 minutes'), (-72, 'group', 'May move', 'kicked', now()),
      (-73, 'group', 'Here', 'member', null)`,
  );
  await database.rows(
    `insert into telegram_messages (chat_id, kind, content)
      select chat_id, 'card', '{"html":"x"}' from telegram_chats`,
  );
  const states = () => database.rows('select chat_id, state, reason from telegram_messages order by chat_id desc');
  await startCopy();
  await until('one is dropped', async () => JSON.stringify(await states()).includes('dropped'));
  expect(await states()).toEqual([
    { chat_id: '-71', state: 'dropped', reason: 'bot-removed' },
    { chat_id: '-72', state: 'pending', reason: null },
    { chat_id: '-73', state: 'pending', reason: null },
  ]);
});
