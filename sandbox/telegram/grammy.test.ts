import { Bot, GrammyError, InlineKeyboard, InputFile } from 'grammy';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../tests/support/until.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { startSandbox } from '../start-sandbox.ts';
import { pngOf } from '../console/png.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.telegram.reset());

const newBot = () => new Bot(sandbox.facts.telegramBotToken, { client: { apiRoot: sandbox.urls.telegram } });

/** Runs a bot until the test is over. */
async function running<T>(bot: Bot, during: () => Promise<T>): Promise<T> {
  const started = Promise.withResolvers<void>();
  const over = bot.start({ onStart: () => started.resolve() });
  await started.promise;
  try {
    return await during();
  } finally {
    await bot.stop();
    await over;
  }
}

test('a grammY bot gets a command, sends a photo with buttons, gets the press, edits and answers', async () => {
  const { telegram } = sandbox;
  const { groupId, memberId } = telegram.seeded;
  const bot = newBot();
  bot.command('card', async (ctx) => {
    await ctx.replyWithPhoto(new InputFile(pngOf(64, 48), 'rock.png'), {
      caption: 'Rock <b>#1</b> &amp; friends',
      parse_mode: 'HTML',
      reply_markup: new InlineKeyboard().text('More', 'more:1'),
    });
  });
  bot.callbackQuery('more:1', async (ctx) => {
    await ctx.editMessageCaption({ caption: 'More of it' });
    await ctx.answerCallbackQuery({ text: `Here you are, ${ctx.from.first_name}` });
  });
  await running(bot, async () => {
    telegram.type({ chatId: groupId, userId: memberId, text: `/card@${telegram.bot.username}` });
    await until('the card is there', () => telegram.history(groupId).length === 2);
    const card = telegram.history(groupId)[1]!;
    expect(card).toMatchObject({
      text: 'Rock #1 & friends',
      source: 'Rock <b>#1</b> &amp; friends',
      entities: [{ type: 'bold', offset: 5, length: 2 }],
      replyMarkup: { inline_keyboard: [[{ text: 'More', callback_data: 'more:1' }]] },
    });
    expect(card.photo?.at(-1)).toMatchObject({ width: 64, height: 48 });
    telegram.press({ chatId: groupId, messageId: card.messageId, userId: memberId, button: 'More' });
    await until('the press is answered', () => telegram.callbackAnswers().length === 1);
    expect(telegram.callbackAnswers()[0]).toMatchObject({ text: 'Here you are, Mia', userId: memberId });
    expect(telegram.history(groupId)[1]).toMatchObject({ text: 'More of it', replyMarkup: null });
    expect(telegram.history(groupId)[1]?.edits).toHaveLength(1);
  });
});

test('a photo uploaded once can be sent again by its file id, and downloaded', async () => {
  const { telegram } = sandbox;
  const { groupId, forumId } = telegram.seeded;
  const { api } = newBot();
  const png = pngOf(400, 300);
  const { photo } = await api.sendPhoto(groupId, new InputFile(png));
  const fileId = photo.at(-1)!.file_id;
  await api.sendPhoto(forumId, fileId, { message_thread_id: telegram.seeded.topics.sales });
  expect(telegram.counters()).toMatchObject({ acceptedMessages: 2, photoUploads: 1 });
  expect(telegram.history(forumId).at(-1)?.photo).toEqual(photo);
  const { file_path } = await api.getFile(fileId);
  const answer = await fetch(`${sandbox.urls.telegram}/file/bot${telegram.token}/${file_path}`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
});

test('grammY reports a refusal with its code, description and parameters', async () => {
  const { telegram } = sandbox;
  const { groupId } = telegram.seeded;
  const supergroup = telegram.migrateGroup({ chatId: groupId });
  const error = await newBot()
    .api.sendMessage(groupId, 'Hello')
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GrammyError);
  expect(error).toMatchObject({
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: supergroup.id },
  });
});
