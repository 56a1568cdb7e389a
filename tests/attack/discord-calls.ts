import { linkOf, seeded, setUp } from '../e2e/support/discord-life.ts';
import { until } from '../support/until.ts';
import type { CallWell } from './answered-well.ts';
import type { AttackWorld } from './attack-world.ts';

interface Guild {
  readonly id: string;
  readonly config?: { readonly roleId: string; readonly nftContract: string; readonly nftName: string };
}

/** Makes every call of the Discord tab and of /verify, in the order in which admins and members make them. */
export async function callDiscord(world: AttackWorld, call: CallWell): Promise<void> {
  const { guildId, channels, roles, memberIds } = await seeded(world.product);
  await call('POST', '/api/discord/init');
  await call('GET', '/api/discord/status');
  await call('GET', '/api/discord/invite-url');
  await until('the commands are registered', async () => {
    const commands = (await world.product.observe('/control/discord/commands')) as readonly unknown[];
    return commands.length > 0;
  });
  await setUp(world.product);
  const ours = async () =>
    (await call<readonly Guild[]>('GET', '/api/discord/guilds')).find(({ id }) => id === guildId);
  await until('the server is set up', async () => (await ours())?.config?.roleId === roles.holder);
  const nftContract = world.product.sandbox.facts.collectionType;
  const body = { guildId, roleId: roles.holder, channelId: channels.verify, nftContract, nftName: 'Sui Rocks' };
  for (const [name, value] of Object.entries(body)) world.learn(name, value);
  await call('POST', '/api/discord/configure', { body });
  await call('POST', '/api/discord/guilds/{guildId}/dry-run', { params: { guildId }, body: { nftContract } });

  const userId = memberIds[0] ?? '';
  const wallet = await callVerify(world, call, userId);
  const member = { params: { guildId, userId } };
  await call('GET', '/api/discord/guilds/{guildId}/statistics', { params: { guildId } });
  await call('GET', '/api/discord/guilds/{guildId}/members', { params: { guildId } });
  await call('GET', '/api/discord/guilds/{guildId}/unverified-holders', { params: { guildId } });
  await call('GET', '/api/discord/guilds/{guildId}/members/{userId}', member);
  await call('POST', '/api/discord/guilds/{guildId}/members/{userId}/resolve', member);
  await callWallets(call, guildId, wallet);
  await callDecisions(world, call, guildId);
  const linked = { params: { ...member.params, wallet } };
  await call('DELETE', '/api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}', linked);
  world.learn('token', await linkOf(world.product, memberIds[1] ?? ''));
  await call('POST', '/api/discord/shutdown');
  await call('POST', '/api/discord/init');
}

/** A member links a wallet; returns its address. */
async function callVerify(world: AttackWorld, call: CallWell, userId: string): Promise<string> {
  const { product } = world;
  const people = (await product.observe('/control/wallets/people')) as readonly { name: string; address: string }[];
  const { name: person = '', address: wallet = '' } = people[0] ?? {};
  const params = { token: await linkOf(product, userId) };
  const asMember = { params, role: 'anonymous' } as const;
  await call('GET', '/api/verify/{token}', asMember);
  const asked = { ...asMember, body: { wallet } };
  const { message } = await call<{ message: string }>('POST', '/api/verify/{token}/message', asked);
  const order = { person, message: Buffer.from(message).toString('base64') };
  const { data } = (await product.control('/control/wallets/sign', order)) as { data: { signature: string } };
  const signed = { ...asMember, body: { wallet, signature: data.signature } };
  const { receipt } = await call<{ receipt: string }>('POST', '/api/verify/{token}/signature', signed);
  await call('POST', '/api/verify/{token}/outcome', { ...asMember, body: { receipt } });
  for (const [field, value] of Object.entries({ wallet, signature: data.signature, receipt }))
    world.learn(field, value);
  return wallet;
}

async function callWallets(call: CallWell, guildId: string, wallet: string): Promise<void> {
  const path = '/api/discord/guilds/{guildId}/wallets';
  const body = { wallet, reason: 'Painter of the <cave>', expiresAt: null };
  const { id: walletId } = await call<{ id: string }>('POST', path, { params: { guildId }, body });
  await call('GET', path, { params: { guildId } });
  await call('DELETE', `${path}/{walletId}`, { params: { guildId, walletId } });
}

/** Inserts waiting removals into the tables: the engine would need hours to reach that state. */
async function callDecisions({ pool }: AttackWorld, call: CallWell, guildId: string): Promise<void> {
  const inserted = async (statement: string, values: readonly string[]): Promise<string> =>
    (await pool.query<{ id: string }>(`${statement} returning id`, [...values])).rows[0]?.id ?? '';
  for (const word of ['approve', 'refuse']) {
    await until(`a removal is there to ${word}`, async () => {
      const statement = 'insert into discord_removal_batches (guild_id, holder_count) values ($1, 20)';
      const params = { removalId: await inserted(statement, [guildId]) };
      // No member loses the role here, so the engine may close the removal before the admin decides.
      const isOver = (error: unknown): boolean => String(error).includes('already-decided');
      return call('POST', `/api/discord/removals/{removalId}/${word}`, { params }).then(
        () => true,
        (error: unknown) => !isOver(error) && Promise.reject(error as Error),
      );
    });
  }
}
