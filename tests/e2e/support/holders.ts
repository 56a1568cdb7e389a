import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Product } from '../../support/product.ts';
import { until } from '../../support/until.ts';
import { seeded } from './discord-life.ts';

/** A member with a wallet of their own and one rock. */
export interface Holder {
  readonly userId: string;
  readonly wallet: string;
  readonly nftId: string;
}

const order = async <T>(product: Product, path: string, wanted: object): Promise<T> =>
  ((await product.control(path, wanted)) as { data: T }).data;

/** The address that /verify shows the member, without its origin. */
export async function linkFor(product: Product, userId: string): Promise<string> {
  const channelId = (await seeded(product)).channels.verify;
  const { id } = await order<{ id: string }>(product, '/control/discord/command', {
    userId,
    channelId,
    name: 'verify',
  });
  const shown = async () =>
    /\/verify\/[\w-]{43}/.exec(
      JSON.stringify(await product.observe(`/control/discord/interaction?interactionId=${id}`)),
    )?.[0];
  await until('the bot shows a link', async () => (await shown()) !== undefined);
  return (await shown()) ?? '';
}

const post = async (url: string, body: object): Promise<{ readonly message: string; readonly outcome: string }> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { message: string; outcome: string } }).data;
};

async function becomeHolder(product: Product, userId: string, number: number): Promise<Holder> {
  const keypair = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(100 + number));
  const wallet = keypair.toSuiAddress();
  const { id: nftId } = await order<{ id: string }>(product, '/control/mint', { address: wallet });
  const call = `${product.url}/api${await linkFor(product, userId)}`;
  const { message } = await post(`${call}/message`, { wallet });
  const { signature } = await keypair.signPersonalMessage(new TextEncoder().encode(message));
  const { outcome } = await post(`${call}/signature`, { wallet, signature });
  if (outcome !== 'role-coming') throw new Error(`${userId} verified: ${outcome}`);
  return { userId, wallet, nftId };
}

/** Adds members to 'Rock Mountain', each of whom verifies with a wallet that holds a rock. */
export async function addHolders(product: Product, count: number): Promise<readonly Holder[]> {
  const { guildId } = await seeded(product);
  const userIds = await order<readonly string[]>(product, '/control/discord/add-members', { guildId, count });
  const holders: Holder[] = [];
  for (const [number, userId] of userIds.entries()) holders.push(await becomeHolder(product, userId, number));
  return holders;
}

const priceMist = '12000000000';

/** Sells each holder's rock at the marketplace. */
export async function trade(
  product: Product,
  holders: readonly Holder[],
  buyerOf: (holder: Holder) => string,
): Promise<void> {
  for (const holder of holders) {
    const { nftId } = holder;
    await product.control('/control/list', { nftId, priceMist });
    await product.control('/control/buy', { nftId, buyer: buyerOf(holder) });
  }
}

/** The ids of the members who have the role at Discord. */
export async function roleHolders(product: Product): Promise<readonly string[]> {
  const { guildId, roles } = await seeded(product);
  const path = `/control/discord/members-with-role?guildId=${guildId}&roleId=${roles.holder}`;
  return (await product.observe(path)) as readonly string[];
}
