import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type TestDatabase, testDatabase } from '../support/database.ts';
import {
  given,
  inboxCopy,
  type InboxCopy,
  type InboxCopyOptions,
  member,
  said,
  title,
  wordsOf,
} from '../support/inbox-copy.ts';
import { until } from '../support/until.ts';

/** What must not be lost is a row before Telegram is told that it arrived, and is handled from there, by one copy after the other. */
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

const copyOf = (name: string, options?: InboxCopyOptions): InboxCopy => {
  const copy = inboxCopy(database, name, options);
  copies.push(copy);
  return copy;
};
const never = () => new Promise<void>(() => {});
const waiting = () =>
  database.rows<{ update_id: string; claimed_by: string | null }>(
    'select update_id, claimed_by from telegram_inbox where handled_at is null order by update_id',
  );

describe('what is written down', () => {
  test('a wish and an event before they are handled; a question, a sticker and a text never', async () => {
    const copy = copyOf('a', { handle: never });
    await copy.intake.take(
      given([said('/remove', { id: 101 }), title('Stones', -6), said('/floor'), said(''), said('hello')]),
    );
    expect(await database.rows('select chat_id from telegram_inbox order by chat_id')).toEqual([
      { chat_id: '-6' },
      { chat_id: '-5' },
    ]);
    await until('what can be is begun', () => copy.handled.length === 3);
    expect([...copy.handled].sort()).toEqual(['/floor', '/remove', 'Stones']);
  });

  test('of whoever wishes it the number alone', async () => {
    const copy = copyOf('a', { handle: never });
    const [wish] = given([said('/remove')]);
    const from = { ...wish!.message!.from, first_name: 'Cleo' };
    await copy.intake.take([{ ...wish!, message: { ...wish!.message!, from } }] as never);
    const [row] = await database.rows<{ kept: string }>('select update::text as kept from telegram_inbox');
    expect(row?.kept).toContain(`"id":${from.id}`);
    expect(row?.kept).not.toContain('Cleo');
  });

  test("a member's wish is refused without a row", async () => {
    const copy = copyOf('a');
    await copy.intake.take(given([said('/remove', { from: member })]));
    await copy.intake.idle();
    expect(copy.handled).toEqual(['/remove']);
    expect(copy.statements).toEqual([]);
  });

  test('an update costs two statements, a hundred at once far less each; what was said is forgotten afterwards', async () => {
    const copy = copyOf('a');
    await copy.intake.take(given([said('/tracking')]));
    await copy.intake.idle();
    expect(copy.statements).toEqual(['write', 'settle']);
    await copy.intake.take(given(Array.from({ length: 100 }, (_none, index) => title(`${index}`, -index - 1))));
    await copy.intake.idle();
    expect(copy.handled).toHaveLength(101);
    expect(copy.statements.filter((each) => each === 'write')).toHaveLength(2);
    expect(copy.statements.length).toBeLessThan(60);
    expect(await database.rows('select 1 from telegram_inbox where update is not null')).toEqual([]);
  });

  test('while it cannot be read or kept in hand that is told once each, and once each that it can again', async () => {
    const copy = copyOf('a', { handle: never, renewEveryMs: 20 });
    await copy.intake.take(given([said('/remove')]));
    await until('it is begun', () => copy.handled.length === 1);
    await database.rows('alter table telegram_inbox rename to away');
    void copy.carryOn();
    const asked = (what: string): number => copy.statements.filter((each) => each === what).length;
    const before = asked('renew');
    await until('it asked often', () => asked('claim') > 2 && asked('renew') > before + 3);
    await database.rows('alter table away rename to telegram_inbox');
    const over = (sentence: string): boolean => sentence.endsWith('for a while; it works again');
    await until('both are over', () => copy.logged.filter(over).length === 2);
    const [claims, waits] = [
      'The claims on updates of Telegram could not be renewed',
      'Waiting updates of Telegram could not be read',
    ];
    const both = (end: string): string[] => [`${claims}${end}`, `${waits}${end}`];
    expect(copy.logged.toSorted()).toEqual(
      [...both('; trying again'), ...both(' for a while; it works again')].toSorted(),
    );
  });

  test('whatever people type can be', async () => {
    const copy = copyOf('a');
    await copy.intake.take(given([said('/setup \0 \ud800 \\u0000 🪨')]));
    await copy.intake.idle();
    const next = copyOf('b', { handle: never });
    await next.intake.take(given([said('/setup \0 \ud800 🪨')]));
    expect(await waiting()).toHaveLength(1);
    expect(copy.handled).toEqual(['/setup \0 \ud800 \\u0000 🪨']);
  });

  test('not without the database: then it is to come again, and counts once', async () => {
    const copy = copyOf('a');
    const update = given([said('/remove')]);
    await database.rows('alter table telegram_inbox rename to elsewhere');
    await expect(copy.intake.take(update)).rejects.toThrow('telegram_inbox');
    await database.rows('alter table elsewhere rename to telegram_inbox');
    await copy.intake.take(update);
    await copy.intake.idle();
    expect(copy.handled).toEqual(['/remove']);
  });
});

describe('each once', () => {
  test('a thousand repetitions of one call cost what one does', async () => {
    const copy = copyOf('a');
    const update = title('Stones');
    await Promise.all(Array.from({ length: 1_000 }, () => copy.intake.take(given([update]))));
    await copy.intake.idle();
    await copy.intake.take(given([update]));
    expect([copy.handled, copy.statements]).toEqual([['Stones'], ['write', 'settle']]);
  });

  test('brought to two copies it is handled by one, also when it comes again after it was', async () => {
    const [a, b] = [copyOf('a'), copyOf('b')];
    const update = given([said('/remove')]);
    await Promise.all([a.intake.take(update), b.intake.take(update)]);
    await Promise.all([a.intake.idle(), b.intake.idle()]);
    const restarted = copyOf('c');
    await restarted.intake.take(update);
    await restarted.intake.idle();
    expect([...a.handled, ...b.handled, ...restarted.handled]).toEqual(['/remove']);
  });
});

describe('a copy that dies', () => {
  test('leaves what it did not finish to the next, as soon as its claim has ended, and not before', async () => {
    const doomed = copyOf('doomed', { handle: never, claimMs: 700 });
    await doomed.intake.take(given([said('/remove')]));
    const heir = copyOf('heir');
    void heir.carryOn();
    await heir.intake.take(given([title('another chat', -7)]));
    await heir.intake.idle();
    expect(heir.handled).toEqual(['another chat']);
    await until('it is handled', () => heir.handled.includes('/remove'));
    await heir.intake.idle();
    expect(await waiting()).toEqual([]);
  });

  test('in order lets go at once of what it has not begun with', async () => {
    const first = copyOf('first', { handle: never });
    await first.intake.take(given([said('/tracking', { id: 201 }), said('/remove', { id: 202 })]));
    await until('it is at the first', () => first.handled.length === 1);
    await first.intake.stop();
    expect(await waiting()).toEqual([
      { update_id: '201', claimed_by: 'first' },
      { update_id: '202', claimed_by: null },
    ]);
  });

  test('over one update ten times is not killed by it an eleventh time', async () => {
    const inMs = (count: number): string => `clock_timestamp() + interval '${count} ms'`;
    await database.rows(
      `insert into telegram_inbox (update_id, chat_id, update, claimed_by, claimed_until, attempts) values
        (1, -5, '${JSON.stringify(title('deadly'))}', 'dead', ${inMs(200)}, 10),
        (2, -6, '${JSON.stringify(title('harmless', -6))}', 'dead', ${inMs(400)}, 9)`,
    );
    const copy = copyOf('a');
    void copy.carryOn();
    await until('the later one is taken', () => copy.handled.length > 0);
    expect(copy.handled).toEqual(['harmless']);
  });
});

test('what could not be handled, because Telegram is gone, is tried again, with a pause', async () => {
  const triedAtMs: number[] = [];
  const copy = copyOf('a', {
    claimMs: 600,
    handle: async () => {
      triedAtMs.push(performance.now());
      if (triedAtMs.length === 1) throw new Error('gone');
    },
  });
  void copy.carryOn();
  await copy.intake.take(given([said('/remove')]));
  await until('it is handled', async () => triedAtMs.length > 0 && (await waiting()).length === 0);
  expect(triedAtMs).toHaveLength(2);
  expect(triedAtMs[1]! - triedAtMs[0]!).toBeGreaterThan(500);
});

describe('one chat after the other', () => {
  test('what waits beyond the room waits in its rows: nothing is left out, in the order in which it came', async () => {
    const release = Promise.withResolvers<void>();
    const copy = copyOf('a', { handle: () => release.promise });
    const words = Array.from({ length: 70 }, (_none, index) => `title ${index}`);
    await copy.intake.take(given(words.map((each) => title(each))));
    await copy.intake.take(given([title('elsewhere', -8)]));
    await until('both chats are begun', () => copy.handled.length === 2);
    expect((await waiting()).filter(({ claimed_by: by }) => by === null)).toHaveLength(50);
    release.resolve();
    await until('all are handled', async () => (await waiting()).length === 0);
    expect(copy.handled.filter((each) => each !== 'elsewhere')).toEqual(words);
  });

  test('a copy does not overtake another in a chat; whoever is at it goes on', async () => {
    const release = Promise.withResolvers<void>();
    const [a, b] = [copyOf('a', { handle: () => release.promise }), copyOf('b')];
    await a.intake.take(given([title('first')]));
    await b.intake.take(given([title('second')]));
    await b.intake.idle();
    expect(b.handled).toEqual([]);
    release.resolve();
    await until('both are handled', () => a.handled.length === 2);
    expect(a.handled).toEqual(['first', 'second']);
  });

  test('a chat that hangs holds nobody else up, however many do', async () => {
    const hanging = copyOf('a', { handle: (update) => (wordsOf(update) === 'hang' ? never() : Promise.resolve()) });
    await hanging.intake.take(given(Array.from({ length: 60 }, (_none, index) => title('hang', -100 - index))));
    await hanging.intake.take(given([title('quick')]));
    await until('the quick one is handled', () => hanging.handled.includes('quick'), 5_000);
  });
});
