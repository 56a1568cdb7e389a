import { beforeEach, describe, expect, test } from 'vitest';

import { telegramAdminScene } from '../support/telegram-admin-scene.ts';
import { until } from '../support/until.ts';

/** Specification 9: events from before a group began to follow are not posted, even if the collection was read for others; nor counted twice. */
const { group, id, telegram, typeOf, configuration, chatRow, setHex, remove, restore, reset } = telegramAdminScene();

const longAgo = new Date(Date.now() - 3_600_000);
const followedSince = async (): Promise<Date> => (await configuration())?.['followed_since'] as Date;
/** A daily recap covers only later events. */
const recappedUntil = async (): Promise<Date> => (await configuration())?.['recapped_until'] as Date;
const isNow = (at: Date): boolean => Math.abs(at.getTime() - Date.now()) < 60_000;

describe('a group gets only the events after', () => {
  test('its setup', async () => expect(isNow(await followedSince())).toBe(true));

  describe('the moment', () => {
    beforeEach(() =>
      group.world.database.rows(
        'update telegram_configurations set followed_since = $2, recapped_until = $2 where id = $1',
        [id(), longAgo],
      ),
    );

    test('when an admin gives it another collection', async () => {
      expect(await setHex(typeOf('lava-lizards'))).toMatchObject({ status: 200 });
      expect([isNow(await followedSince()), isNow(await recappedUntil())]).toEqual([true, true]);
    });

    test('when a deleted configuration is restored', async () => {
      expect([await remove(), await restore()]).toMatchObject([{ status: 200 }, { status: 200 }]);
      expect([isNow(await followedSince()), isNow(await recappedUntil())]).toEqual([true, true]);
    });

    test('when the bot returns after it was removed', async () => {
      telegram().setBot({ chatId: group.chatId, status: 'kicked' });
      await until('the removal is stored', async () => (await chatRow())?.['removed_at'] !== null);
      telegram().setBot({ chatId: group.chatId, status: 'member' });
      await until('events from now on are posted', async () => isNow(await followedSince()));
      expect(isNow(await recappedUntil())).toBe(true);
    });

    test('which no other change moves', async () => {
      expect(await reset({ count: 5 })).toMatchObject({ status: 200 });
      expect(await setHex(null)).toMatchObject({ status: 200 });
      expect([await followedSince(), await recappedUntil()]).toEqual([longAgo, longAgo]);
    });
  });
});

/** Rulings R4: mintedCount starts from the marketplace's count and grows with mint events. */
describe('a mint that becomes known while the bot is off is counted once in a group', () => {
  const counts = async () => {
    const [row] = await group.world.database.rows<{ ofGroup: string; ofCollection: string }>(
      `select c.minted_count as "ofGroup", t.minted_count as "ofCollection" from telegram_configurations c
       join tracked_collections t on t.id = c.tracked_collection_id where c.id = $1`,
      [id()],
    );
    return { ofGroup: Number(row?.ofGroup), ofCollection: Number(row?.ofCollection) };
  };
  const ofRocks = async () => {
    const [row] = await group.world.database.rows<{ minted_count: string }>(
      "select minted_count from tracked_collections where name = 'Sui Rocks'",
    );
    return Number(row?.minted_count);
  };
  const minted = async () => {
    const before = await ofRocks();
    group.world.sandbox.world.burst({ collection: 'rocks', kind: 'mint', count: 1 });
    await until('the mint is known', async () => (await ofRocks()) > before);
  };
  const returned = async () => {
    await remove();
    await minted();
    await restore();
  };
  const alone = () =>
    group.world.database.rows("delete from collection_watches where listener = 'telegram' and watcher <> $1", [id()]);

  test.each([
    ['that follows its collection', async () => {}, async () => {}],
    ['that is deleted and restored', async () => {}, returned],
    ['that is deleted and restored, the only one of its collection', alone, returned],
    ['that gets its collection', () => setHex(typeOf('lava-lizards')), () => setHex(null)],
  ])('%s', async (_what, prepare, change) => {
    // Another bot reads the collection meanwhile.
    await group.world.database.rows(
      `insert into collection_watches (tracked_collection_id, listener, watcher)
       select id, 'elsewhere', '1' from tracked_collections where name = 'Sui Rocks' on conflict do nothing`,
    );
    await prepare();
    await group.copy.call('POST', '/api/telegram/shutdown');
    await minted();
    await change();
    await group.copy.call('POST', '/api/telegram/init');
    await minted();
    const { ofGroup, ofCollection } = await counts();
    expect(ofGroup).toBe(ofCollection);
  });
});
