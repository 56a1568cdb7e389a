import type { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';

/** What people do in the sandbox's Discord, through its control API. */
interface Seeded {
  readonly guildId: string;
  readonly channels: { readonly verify: string };
  readonly roles: { readonly holder: string };
  readonly ownerId: string;
  readonly memberIds: readonly string[];
}

export const seeded = async (product: Product): Promise<Seeded> =>
  (await product.observe('/control/discord/seeded')) as Seeded;

/** The owner of 'Rock Mountain' chooses the role and the channel. */
export async function setUp(product: Product): Promise<void> {
  const { ownerId, channels, roles } = await seeded(product);
  const options = { role: roles.holder, channel: channels.verify };
  await product.control('/control/discord/command', {
    userId: ownerId,
    channelId: channels.verify,
    name: 'setup',
    options,
  });
}

/** The secret in the newest link that the member sees. */
async function newestLink(product: Product, userId: string, channelId: string): Promise<string | undefined> {
  const seen = JSON.stringify(await product.observe(`/control/discord/sees?userId=${userId}&channelId=${channelId}`));
  return seen
    .match(/\/verify\/([\w-]{43})/g)
    ?.at(-1)
    ?.slice('/verify/'.length);
}

/** The secret in the link that /verify shows the member. */
export async function linkOf(product: Product, userId: string): Promise<string> {
  const channelId = (await seeded(product)).channels.verify;
  const before = await newestLink(product, userId, channelId);
  await product.control('/control/discord/command', { userId, channelId, name: 'verify' });
  let token: string | undefined;
  await until('the bot shows a link', async () => {
    token = await newestLink(product, userId, channelId);
    return token !== undefined && token !== before;
  });
  if (token === undefined) throw new Error('no link');
  return token;
}

const post = async (url: string, body: object): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: unknown }).data;
};

/** A member links the wallet of one of the sandbox's people, as they would on the page. Returns its address. */
export async function verify(product: Product, userId: string, person: string): Promise<string> {
  const people = (await product.observe('/control/wallets/people')) as readonly { name: string; address: string }[];
  const wallet = people.find(({ name }) => name === person)?.address;
  if (wallet === undefined) throw new Error(`the sandbox has no person called ${person}`);
  const call = `${product.url}/api/verify/${await linkOf(product, userId)}`;
  const { message } = (await post(`${call}/message`, { wallet })) as { message: string };
  const order = { person, message: Buffer.from(message).toString('base64') };
  const { data } = (await product.control('/control/wallets/sign', order)) as { data: { signature: string } };
  await post(`${call}/signature`, { wallet, signature: data.signature });
  return wallet;
}
