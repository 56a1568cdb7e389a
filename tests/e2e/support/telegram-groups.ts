import type { Page } from '@playwright/test';
import type { TelegramConfiguration } from '../../../src/telegram/contract.ts';
import type { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';

interface Said {
  readonly messageId: number;
  readonly text: string;
  readonly replyMarkup: { readonly inline_keyboard: readonly (readonly { readonly text: string }[])[] } | null;
}

const make = async (product: Product, what: string, wanted: object): Promise<number> => {
  const { data } = (await product.control(`/control/telegram/${what}`, wanted)) as { data: { id: number } };
  return data.id;
};

/** The messages in a chat of the sandbox's Telegram, oldest first. */
export const history = async (product: Product, chatId: number): Promise<readonly Said[]> =>
  (await product.observe(`/control/telegram/history?chatId=${chatId}`)) as readonly Said[];

const saidIn = async (product: Product, chatId: number, words: string): Promise<Said> => {
  let said: readonly Said[] = [];
  const find = () => said.findLast(({ text }) => text?.includes(words));
  await until(`the bot says '${words}'`, async () => {
    said = await history(product, chatId);
    return find() !== undefined;
  }).catch((error: unknown) => {
    throw new Error(`The chat contains: ${JSON.stringify(said.map(({ text }) => text))}`, { cause: error });
  });
  return find()!;
};

/** Makes a call of the admin area as the signed-in admin. */
export const callAs = async (
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
): Promise<unknown> => {
  const answer = await page.request.fetch(path, { method, ...(data === undefined ? {} : { data }) });
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
  const { data: inner } = (await answer.json()) as { data: unknown };
  return inner;
};

export const configurationsSeenBy = async (page: Page): Promise<readonly TelegramConfiguration[]> =>
  (await callAs(page, 'GET', '/api/telegram/configs')) as readonly TelegramConfiguration[];

export interface SetUpGroup {
  readonly chatId: number;
  readonly ownerId: number;
  readonly configuration: TelegramConfiguration;
}

/** A group whose owner connects it to the product's own collection, by typing /setup and pressing the button. */
export async function setUpGroup(page: Page, product: Product, title: string): Promise<SetUpGroup> {
  await callAs(page, 'POST', '/api/telegram/init');
  const ownerId = await make(product, 'create-user', { firstName: 'Ogga' });
  const members = [{ userId: ownerId, status: 'creator' }];
  const chatId = await make(product, 'create-chat', { kind: 'supergroup', title, members });
  const text = `/setup ${product.sandbox.facts.collectionType}`;
  await product.control('/control/telegram/type', { chatId, userId: ownerId, text });
  const { messageId, replyMarkup } = await saidIn(product, chatId, 'maximum supply');
  const button = replyMarkup?.inline_keyboard[0]?.[0]?.text;
  await product.control('/control/telegram/press', { chatId, userId: ownerId, messageId, button });
  await saidIn(product, chatId, 'now follows');
  const configuration = (await configurationsSeenBy(page)).find((one) => one.chatId === String(chatId));
  if (configuration === undefined) throw new Error('the group was not set up');
  return { chatId, ownerId, configuration };
}
