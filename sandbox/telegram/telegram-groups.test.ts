import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { botApiCaller } from './bot-api-caller.ts';
import type { Speaker } from './talking.ts';
import type { Update } from './wire.ts';

let sandbox: Sandbox;
let call: ReturnType<typeof botApiCaller>;
beforeAll(async () => {
  sandbox = await startSandbox({ telegramLimits: false });
  call = botApiCaller(sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.telegram.reset());

async function heard(): Promise<Update[]> {
  const updates = (await call('getUpdates')).result as Update[];
  await call('getUpdates', { offset: (updates.at(-1)?.update_id ?? 0) + 1 });
  return updates;
}
const type = (text: string, speaker: Speaker, rest: { threadId?: number; replyToMessageId?: number } = {}) =>
  sandbox.telegram.type({ chatId: sandbox.telegram.seeded.groupId, text, ...speaker, ...rest });

describe('updates to the bot', () => {
  test('in a group the bot gets commands, mentions and replies to it; as an administrator it gets everything', async () => {
    const { telegram } = sandbox;
    const { groupId, memberId: userId } = telegram.seeded;
    const { result } = await call('sendMessage', { chat_id: groupId, text: 'How many?' });
    const { message_id: replyToMessageId } = result as { message_id: number };
    type('just talk', { userId });
    type('/floor', { userId });
    type('/floor@other_bot', { userId });
    type(`hello @${telegram.bot.username}`, { userId });
    type('3333', { userId }, { replyToMessageId });
    const texts = async () => (await heard()).flatMap(({ message }) => (message as { text?: string })?.text ?? []);
    expect(await texts()).toEqual(['/floor', `hello @${telegram.bot.username}`, '3333']);
    telegram.setBot({ chatId: groupId, status: 'administrator' });
    await heard();
    type('just talk', { userId });
    expect(await texts()).toEqual(['just talk']);
  });

  test('the entity of a command includes the name of the bot it is for', async () => {
    type(`/setup@${sandbox.telegram.bot.username} 0x12::a::B`, { userId: sandbox.telegram.seeded.adminId });
    expect(await heard()).toMatchObject([
      {
        message: { entities: [{ type: 'bot_command', offset: 0, length: 7 + sandbox.telegram.bot.username!.length }] },
      },
    ]);
  });

  test('an anonymous admin posts as the group; a channel and another group post as themselves', async () => {
    const { groupId, channelId } = sandbox.telegram.seeded;
    type('/setup', { as: 'anonymous-admin' });
    type('/setup', { as: 'channel', senderChatId: channelId });
    type('/setup', { as: 'foreign-anonymous', senderChatId: channelId });
    expect(await heard()).toMatchObject([
      { message: { from: { id: 1087968824, is_bot: true }, sender_chat: { id: groupId }, chat: { id: groupId } } },
      { message: { from: { id: 136817688 }, sender_chat: { id: channelId } } },
      { message: { from: { id: 1087968824 }, sender_chat: { id: channelId } } },
    ]);
  });

  test('a message names its topic, an edit arrives as edited_message, a press names the person', async () => {
    const { telegram } = sandbox;
    const { forumId, topics, anonymousAdminId, memberId } = telegram.seeded;
    const typed = telegram.type({ chatId: forumId, userId: memberId, text: '/floor', threadId: topics.sales });
    telegram.editTyped({ chatId: forumId, messageId: typed.messageId, text: '/summary' });
    const markup = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] };
    const { result } = await call('sendMessage', { chat_id: forumId, text: 'x', reply_markup: markup });
    const { message_id: messageId } = result as { message_id: number };
    telegram.press({ chatId: forumId, messageId, userId: anonymousAdminId, button: '0,0' });
    expect(await heard()).toMatchObject([
      { message: { message_thread_id: topics.sales, is_topic_message: true, chat: { is_forum: true } } },
      { edited_message: { text: '/summary', edit_date: expect.any(Number) as number } },
      { callback_query: { from: { id: anonymousAdminId }, data: 'go', message: { message_id: messageId } } },
    ]);
  });
});

describe('changes to a group and to the bot in it', () => {
  test('adding, promoting, demoting and kicking the bot each send the old and the new status', async () => {
    const { telegram } = sandbox;
    const { adminId } = telegram.seeded;
    const { id: chatId } = telegram.createChat({
      kind: 'supergroup',
      title: 'New',
      members: [{ userId: adminId, status: 'creator' }],
      bot: 'absent',
    });
    for (const status of ['member', 'administrator', 'member', 'kicked'] as const) telegram.setBot({ chatId, status });
    const updates = await heard();
    const changes = updates.flatMap(({ my_chat_member: change }) => {
      const told = change as { old_chat_member: { status: string }; new_chat_member: { status: string } } | undefined;
      return told ? [`${told.old_chat_member.status} → ${told.new_chat_member.status}`] : [];
    });
    expect(changes).toEqual(['left → member', 'member → administrator', 'administrator → member', 'member → kicked']);
    expect(updates[0]).toMatchObject({ my_chat_member: { from: { id: adminId }, chat: { id: chatId } } });
  });

  test('a migration to a supergroup is announced in both groups and keeps the members', async () => {
    const { telegram } = sandbox;
    const { groupId, adminId } = telegram.seeded;
    const { id } = telegram.migrateGroup({ chatId: groupId });
    expect(await heard()).toMatchObject([
      { message: { chat: { id: groupId, type: 'group' }, migrate_to_chat_id: id } },
      { message: { chat: { id, type: 'supergroup' }, migrate_from_chat_id: groupId } },
    ]);
    expect((await call('getChatMember', { chat_id: id, user_id: adminId })).result).toMatchObject({
      status: 'creator',
    });
  });

  test('a migration can first report that the bot left and joined', async () => {
    const { telegram } = sandbox;
    const { groupId } = telegram.seeded;
    const { id } = telegram.migrateGroup({ chatId: groupId, tellsMembership: true });
    expect(await heard()).toMatchObject([
      { my_chat_member: { chat: { id: groupId }, new_chat_member: { status: 'left' } } },
      { my_chat_member: { chat: { id }, new_chat_member: { status: 'member' } } },
      { message: { migrate_to_chat_id: id } },
      { message: { migrate_from_chat_id: groupId } },
    ]);
  });

  test('a service message reaches the bot', async () => {
    const { groupId } = sandbox.telegram.seeded;
    sandbox.telegram.postService({ chatId: groupId, service: { new_chat_title: 'Rock Club' } });
    expect(await heard()).toMatchObject([{ message: { new_chat_title: 'Rock Club', chat: { id: groupId } } }]);
  });

  test('a bot that has left is no longer a member', async () => {
    const { groupId } = sandbox.telegram.seeded;
    expect((await call('leaveChat', { chat_id: groupId })).result).toBe(true);
    expect((await call('getChat', { chat_id: groupId })).description).toBe(
      'Forbidden: bot is not a member of the group chat',
    );
  });
});

describe('members and commands', () => {
  test('administrators are listed, anonymous ones only to an administrator bot; a stranger has the status left', async () => {
    const { telegram } = sandbox;
    const { groupId, adminId, anonymousAdminId, memberId } = telegram.seeded;
    const stranger = telegram.createUser({ firstName: 'Sam' });
    const admins = async () => (await call('getChatAdministrators', { chat_id: groupId })).result;
    expect(await admins()).toMatchObject([{ user: { id: adminId }, status: 'creator', is_anonymous: false }]);
    telegram.setBot({ chatId: groupId, status: 'administrator' });
    expect(await admins()).toContainEqual(
      expect.objectContaining({ user: expect.objectContaining({ id: anonymousAdminId }), is_anonymous: true }),
    );
    telegram.setBot({ chatId: groupId, status: 'member' });
    const status = async (user_id: number) =>
      ((await call('getChatMember', { chat_id: groupId, user_id })).result as { status: string }).status;
    expect([await status(memberId), await status(stranger.id), await status(telegram.bot.id)]).toEqual([
      'member',
      'left',
      'member',
    ]);
    telegram.setMember({ chatId: groupId, userId: adminId, status: 'member' });
    expect(await status(adminId)).toBe('member');
  });

  test('commands are stored by scope and language, and invalid ones are refused', async () => {
    const { groupId } = sandbox.telegram.seeded;
    const commands = [{ command: 'setup', description: 'Track a collection' }];
    const scope = { type: 'chat_administrators', chat_id: groupId };
    expect((await call('setMyCommands', { commands, scope })).result).toBe(true);
    expect((await call('getMyCommands', { scope })).result).toEqual(commands);
    expect((await call('getMyCommands')).result).toEqual([]);
    expect((await call('deleteMyCommands', { scope })).result).toBe(true);
    expect((await call('getMyCommands', { scope })).result).toEqual([]);
    const broken = [{ command: 'Set-up', description: 'x' }];
    expect((await call('setMyCommands', { commands: broken })).description).toBe('Bad Request: BOT_COMMAND_INVALID');
  });
});
