import { beforeEach, describe, expect, test } from 'vitest';

import { telegramAdminScene } from '../support/telegram-admin-scene.ts';
import { until } from '../support/until.ts';

/** Specification 9: events from before a group began to follow are not posted, even if the collection was read for others. */
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
