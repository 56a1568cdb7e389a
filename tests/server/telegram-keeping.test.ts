import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TelegramConfiguration } from '../../src/telegram/contract.ts';
import type { TelegramCopy } from '../support/telegram-copy.ts';
import { handled, setUpGroup, startTelegramWorld, type TelegramWorld, watchers } from '../support/telegram-world.ts';
import { until } from '../support/until.ts';

/** Specification 7 (telegram), rulings R2, R4 and R6: the admin calls over real HTTP. */
let world: TelegramWorld;
let copy: TelegramCopy;
let creator: number;
let chatId: number;
let id: string;

const telegram = () => world.sandbox.telegram;
const typeOf = (key: string): string => world.sandbox.world.state.collections.get(key)?.nftType ?? '';
const listed = async (path = '/api/telegram/configs'): Promise<readonly TelegramConfiguration[]> =>
  (await copy.call('GET', path)).body.data;
const present = async (): Promise<TelegramConfiguration> => {
  const found = (await listed()).find((each) => each.id === id);
  if (found === undefined) throw new Error('The configuration is not listed');
  return found;
};
const reset = (body: unknown, headers = {}, to = id) =>
  copy.call('POST', `/api/telegram/reset-mint-count/${to}`, body, headers);
const setHex = (hexCollectionId: unknown, headers = {}) =>
  copy.call('PUT', `/api/telegram/config/${id}`, { hexCollectionId }, headers);
const remove = (headers = {}) => copy.call('DELETE', `/api/telegram/configs/${id}`, undefined, headers);
const restore = (headers = {}) => copy.call('POST', `/api/telegram/configs/${id}/restore`, undefined, headers);

beforeAll(async () => {
  world = await startTelegramWorld();
  copy = await world.activeCopy();
  creator = telegram().createUser({ firstName: 'Cleo', username: 'cleo' }).id;
});
afterAll(() => world.end());
beforeEach(async () => {
  const members = [{ userId: creator, status: 'creator' as const }];
  chatId = telegram().createChat({ kind: 'supergroup', title: 'Rock <Group>', members }).id;
  id = await setUpGroup(world, chatId, world.sandbox.facts.collectionType, creator);
});

describe('deleting and restoring', () => {
  test('a deleted configuration is gone from the list, watched no more, restorable for 30 days, and its restore is logged', async () => {
    expect(await remove()).toMatchObject({ status: 200, body: { data: { id } } });
    expect((await listed()).map((each) => each.id)).not.toContain(id);
    expect(await watchers(world)).not.toContain(id);
    const deleted = (await listed('/api/telegram/deleted-configs')).find((each) => each.id === id);
    expect(Math.round((Date.parse(deleted?.purgeAt ?? '') - Date.now()) / 86_400_000)).toBe(30);
    expect((await remove()).status).toBe(404);
    expect(await restore()).toMatchObject({ status: 200, body: { data: { id, deletedAt: null, trackMint: true } } });
    expect(await watchers(world)).toContain(id);
    expect((await restore()).status).toBe(404);
    expect((await world.audited()).slice(-2)).toMatchObject([
      {
        action: 'telegram-configuration-deleted',
        actor: 'chief',
        before: { isDeleted: false },
        after: { isDeleted: true },
      },
      { action: 'telegram-configuration-restored', actor: 'chief' },
    ]);
  });

  test('after 30 days it cannot be restored, nor is it listed', async () => {
    await remove();
    await world.database.pool.query(
      "update telegram_configurations set deleted_at = clock_timestamp() - interval '30 days 1 minute' where id = $1",
      [id],
    );
    expect((await listed('/api/telegram/deleted-configs')).map((each) => each.id)).not.toContain(id);
    expect((await restore()).status).toBe(404);
  });

  test('not when the chat tracks another one meanwhile', async () => {
    await remove();
    await setUpGroup(world, chatId, typeOf('lava-lizards'), creator);
    const answer = await restore();
    expect(answer).toMatchObject({ status: 409, body: { code: 'chat-taken' } });
    expect(answer.body.message).toContain('Lava Lizards');
  });

  test('an edit of a deleted configuration is not found', async () => {
    await remove();
    expect((await reset({ count: 1 })).status).toBe(404);
    expect((await setHex('')).status).toBe(404);
    expect(await copy.call('POST', `/api/telegram/configs/${id}/send-test`)).toMatchObject({
      status: 409,
      body: { code: 'configuration-deleted' },
    });
  });

  test('the configuration of a chat that put the bot out is restored without being read', async () => {
    await remove();
    telegram().setBot({ chatId, status: 'kicked' });
    await handled(world);
    expect((await restore()).status).toBe(200);
    expect(await watchers(world)).not.toContain(id);
  });
});

describe('deliveries of a chat', () => {
  test('send test posts the latest real sale, which is then among the deliveries', async () => {
    const answer = await copy.call('POST', `/api/telegram/configs/${id}/send-test`);
    expect(answer).toMatchObject({ status: 200, body: { data: { kind: 'test', state: 'pending' } } });
    await until('it arrived', () =>
      telegram()
        .history(chatId)
        .some(({ text }) => text?.includes('the latest real sale') === true),
    );
    await until('it is sent', async () => {
      const { data } = (await copy.call('GET', `/api/telegram/configs/${id}/deliveries`)).body;
      return (data as { messages: { kind: string; state: string }[] }).messages.some(
        (each) => each.kind === 'test' && each.state === 'sent',
      );
    });
    expect((await world.audited()).at(-1)).toMatchObject({ action: 'telegram-test-sent', actor: 'chief' });
  });

  test('a failed message can be sent again, once', async () => {
    const { rows } = await world.database.pool.query<{ id: string }>(
      `insert into telegram_messages (chat_id, configuration_id, kind, content, state, reason)
       values ($1, $2, 'card', '{"html":"mended","imageUrl":null,"buttons":[],"isSilent":false}', 'failed', 'Bad Request: no') returning id`,
      [chatId, id],
    );
    const messageId = rows[0]?.id ?? '';
    expect((await present()).failedCount).toBe(1);
    expect(await copy.call('POST', `/api/telegram/messages/${messageId}/retry`)).toMatchObject({
      status: 200,
      body: { data: { id: messageId } },
    });
    await until('it arrived', () =>
      telegram()
        .history(chatId)
        .some(({ text }) => text === 'mended'),
    );
    await until('it is sent', async () => (await present()).pendingCount === 0);
    expect(await copy.call('POST', `/api/telegram/messages/${messageId}/retry`)).toMatchObject({
      status: 409,
      body: { code: 'message-not-failed' },
    });
    expect((await world.audited()).filter(({ action }) => action === 'telegram-message-retried')).toHaveLength(1);
  });

  test('nothing is sent to a chat that put the bot out', async () => {
    telegram().setBot({ chatId, status: 'kicked' });
    await handled(world);
    expect(await copy.call('POST', `/api/telegram/configs/${id}/send-test`)).toMatchObject({
      status: 409,
      body: { code: 'chat-removed' },
    });
  });

  test('nor while the bot is off', async () => {
    await copy.call('POST', '/api/telegram/shutdown');
    try {
      expect(await copy.call('POST', `/api/telegram/configs/${id}/send-test`)).toMatchObject({
        status: 409,
        body: { code: 'bot-off' },
      });
    } finally {
      await copy.call('POST', '/api/telegram/init');
    }
  });
});
