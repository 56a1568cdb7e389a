import { history } from '../e2e/support/telegram-groups.ts';
import { until } from '../support/until.ts';
import type { CallWell } from './answered-well.ts';
import type { AttackWorld } from './attack-world.ts';

interface Listed {
  readonly id: string;
  readonly chatId: string;
}
interface Delivered {
  readonly messages: readonly { readonly id: string; readonly state: string }[];
}

const messageWaitMs = 30_000;

/** Makes every call of the Telegram tab, in the order in which an admin makes them. */
export async function callTelegram(world: AttackWorld, call: CallWell): Promise<void> {
  await call('POST', '/api/telegram/init');
  await call('GET', '/api/telegram/status');
  const chatId = await setUpChat(world);
  const found = (await call<readonly Listed[]>('GET', '/api/telegram/configs')).find(
    (each) => each.chatId === String(chatId),
  );
  if (found === undefined) throw new Error('the group was not set up');
  const params = { configId: found.id };
  await call('POST', '/api/telegram/reset-mint-count/{configId}', { params, body: { count: 7 } });
  await call('PUT', '/api/telegram/config/{configId}', { params, body: { hexCollectionId: null } });
  await call('DELETE', '/api/telegram/configs/{configId}', { params });
  await call('GET', '/api/telegram/deleted-configs');
  await call('POST', '/api/telegram/configs/{configId}/restore', { params });

  await world.product.control('/control/telegram/refuse-next', { chatId, times: 5, description: 'Bad Request: no' });
  await call('POST', '/api/telegram/configs/{configId}/send-test', { params });
  let failed: string | undefined;
  await until(
    'the refused message failed',
    async () => {
      const path = '/api/telegram/configs/{configId}/deliveries';
      const { messages } = await call<Delivered>('GET', path, { params });
      failed = messages.find(({ state }) => state === 'failed')?.id;
      return failed !== undefined;
    },
    messageWaitMs,
  );
  await call('POST', '/api/telegram/messages/{messageId}/retry', { params: { messageId: failed ?? '' } });
  await call('POST', '/api/telegram/shutdown');
  await call('POST', '/api/telegram/init');
}

/** A group whose owner types /setup and presses the button. */
async function setUpChat({ product }: AttackWorld): Promise<number> {
  const make = async (what: string, wanted: object): Promise<number> =>
    ((await product.control(`/control/telegram/${what}`, wanted)) as { data: { id: number } }).data.id;
  const userId = await make('create-user', { firstName: 'Ogga' });
  const members = [{ userId, status: 'creator' }];
  const chatId = await make('create-chat', { kind: 'supergroup', title: 'Cave <b>& "echoes"', members });
  const text = `/setup ${product.sandbox.facts.collectionType}`;
  await product.control('/control/telegram/type', { chatId, userId, text });
  const said = async (words: string) => (await history(product, chatId)).findLast((each) => each.text?.includes(words));
  await until('the bot asks for the supply', async () => (await said('maximum supply')) !== undefined);
  const asked = await said('maximum supply');
  const button = asked?.replyMarkup?.inline_keyboard[0]?.[0]?.text;
  await product.control('/control/telegram/press', { chatId, userId, messageId: asked?.messageId, button });
  await until('the group is set up', async () => (await said('now follows')) !== undefined);
  return chatId;
}
