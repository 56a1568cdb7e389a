import { Bot, InlineKeyboard, InputFile } from 'grammy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pngOf } from '../console/png.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { loadBotApiSpec, problemsOfCall } from './bot-api-spec.ts';
import type { CallRecord } from './telegram-server.ts';

const spec = loadBotApiSpec();
const reason = 'Skipped: the published Bot API (../shared/specs/telegram-bot-api.json) is not on this machine.\n';
if (!spec) process.stderr.write(reason);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ telegramLimits: false });
});
afterAll(() => sandbox.stop());

/** Calls every method of the sandbox, with everything its answers can contain. */
async function everything(): Promise<void> {
  const { telegram } = sandbox;
  const { groupId, forumId, topics, adminId, anonymousAdminId, memberId } = telegram.seeded;
  const { api } = new Bot(telegram.token, { client: { apiRoot: sandbox.urls.telegram } });
  const all = ['message', 'edited_message', 'callback_query', 'my_chat_member', 'chat_member'] as const;
  await api.getMe();
  await api.getUpdates({ allowed_updates: all });
  const { message_id } = await api.sendMessage(groupId, '<b>Hi</b> <a href="tg://user?id=500000001">Ada</a>', {
    parse_mode: 'HTML',
    reply_markup: new InlineKeyboard().text('Go', 'go').url('Look', 'https://a.example'),
    link_preview_options: { is_disabled: true },
    disable_notification: true,
  });
  await api.sendMessage(groupId, 'And?', { reply_parameters: { message_id }, reply_markup: { force_reply: true } });
  await api.sendChatAction(groupId, 'typing');
  const photo = await api.sendPhoto(forumId, new InputFile(pngOf(900, 600), 'a.png'), {
    caption: 'A rock',
    message_thread_id: topics.sales,
  });
  await api.getFile(photo.photo[0]!.file_id);
  await api.editMessageCaption(forumId, photo.message_id, { caption: 'Two rocks' });
  await api.editMessageReplyMarkup(groupId, message_id, { reply_markup: new InlineKeyboard().text('Go', 'go') });
  const id = telegram.press({ chatId: groupId, messageId: message_id, userId: memberId, button: 'Go' });
  await api.answerCallbackQuery(id, { text: 'Gone', show_alert: true });
  await api.editMessageText(groupId, message_id, 'Bye');
  await api.deleteMessage(groupId, message_id);
  const typed = telegram.type({ chatId: groupId, as: 'anonymous-admin', text: '/setup https://a.example @ada_stone' });
  telegram.editTyped({ chatId: groupId, messageId: typed.messageId, text: '/help' });
  telegram.type({ chatId: forumId, userId: memberId, text: '/floor', threadId: topics.chatter });
  telegram.postService({ chatId: forumId, service: { new_chat_title: 'Rock Club' } });
  telegram.setMember({ chatId: forumId, userId: memberId, status: 'restricted', byUserId: adminId });
  for (const status of ['administrator', 'restricted', 'kicked', 'left', 'member'] as const) {
    telegram.setBot({ chatId: forumId, status });
  }
  const { id: supergroupId } = telegram.migrateGroup({ chatId: groupId });
  await api.getUpdates();
  for (const chatId of [supergroupId, forumId, adminId]) await api.getChat(chatId);
  for (const userId of [adminId, anonymousAdminId, memberId]) await api.getChatMember(forumId, userId);
  await api.getChatAdministrators(forumId);
  await api.getChatMemberCount(forumId);
  await api.setMyCommands([{ command: 'help', description: 'What I do' }], { scope: { type: 'all_group_chats' } });
  await api.getMyCommands({ scope: { type: 'all_group_chats' } });
  await api.deleteMyCommands();
  await api.setMyDescription('Tells what happens');
  await api.setMyShortDescription('Tells');
  await api.getMyDescription();
  await api.getMyShortDescription();
  await api.setWebhook('http://127.0.0.1:9/hook', { secret_token: 'x' });
  await api.getWebhookInfo();
  await api.deleteWebhook({ drop_pending_updates: true });
  await api.leaveChat(supergroupId);
}

if (spec) {
  test('requests and answers of every method fit the published Bot API', async () => {
    await everything();
    const calls = sandbox.telegram.calls();
    expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(sandbox.telegram.methodNames));
    expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
    expect(calls.flatMap((call) => problemsOfCall(spec, call))).toEqual([]);
  });

  test('everything that does not fit the Bot API is named', () => {
    const call: CallRecord = {
      method: 'sendMessage',
      parameters: { chat_id: '1', txt: 'x', reply_markup: '{"inline_keyboard":[[{"callback_data":"x"}]]}' },
      uploads: [],
      status: 200,
      result: { message_id: '1', date: 1, chat: { id: 1, type: 'private', colour: 'red' } },
      description: null,
      atMs: 0,
    };
    expect(problemsOfCall(spec, call).toSorted()).toEqual([
      'sendMessage answer.chat.colour is not in the Bot API',
      'sendMessage answer.message_id: not a Integer: "1"',
      'sendMessage reply_markup.inline_keyboard[0][0].text is missing',
      'sendMessage: no such parameter: txt',
      'sendMessage: text is missing',
    ]);
  });
} else {
  test('the sandbox names its methods', () => {
    expect(sandbox.telegram.methodNames).toContain('sendMessage');
  });
}
