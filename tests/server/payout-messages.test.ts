import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Announcing, startAnnouncing } from '../support/announcing.ts';
import { seeded, verify } from '../e2e/support/discord-life.ts';
import { until } from '../support/until.ts';

/** Holders with a linked wallet may ask for a direct message when they are paid: off by default, once per payout. */
let scene: Announcing;
let channelId: string;
let members: readonly string[];
/** By member, in the order of `members`. */
const wallets: string[] = [];
const people = ['Granite Gwen', 'Basalt Ben', 'Marble Mo', 'Pumice Pete'];
beforeAll(async () => {
  scene = await startAnnouncing();
  const { channels, memberIds } = await seeded(scene.product);
  [channelId, members] = [channels.verify, [0, 1, 2, 5].map((at) => memberIds[at] ?? '')];
  for (const [at, person] of people.entries()) {
    wallets.push(await verify(scene.product, members[at] ?? '', person));
  }
});
afterAll(() => scene.product.stop());

interface Message {
  readonly id: string;
  readonly content: string;
  readonly components: readonly { readonly components: readonly { readonly label?: string }[] }[];
}

/** /wallets as a member sees it. */
async function walletsOf(at: number): Promise<Message> {
  const userId = members[at] ?? '';
  const seen = async () =>
    (await scene.product.observe(
      `/control/discord/sees?userId=${userId}&channelId=${channelId}`,
    )) as readonly (Message & { readonly ephemeralFor: string | null })[];
  const own = async () => (await seen()).filter(({ ephemeralFor }) => ephemeralFor === userId);
  const before = (await own()).length;
  await scene.product.control('/control/discord/command', { userId, channelId, name: 'wallets' });
  const isAnswered = async () => (await own()).slice(before).some(({ content }) => content.includes('Your wallets'));
  await until('the bot answers', isAnswered);
  const answer = (await own()).at(-1);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const press = async (at: number, messageId: string, button: string): Promise<void> => {
  await scene.product.control('/control/discord/press', { userId: members[at], messageId, button });
};
const on = 'Tell me when I am paid';
const off = 'Stop payout messages';
async function turn(at: number, button: string, word: string): Promise<void> {
  const { id } = await walletsOf(at);
  await press(at, id, button);
  await until('it is switched', async () => (await walletsOf(at)).content.includes(`pays one of them: ${word}.`));
}
const told = async (at: number): Promise<readonly string[]> =>
  ((await scene.product.observe(`/control/discord/direct-messages?userId=${members[at]}`)) as readonly Message[]).map(
    ({ content }) => content,
  );
const toldOf = async (at: number, title: string): Promise<readonly string[]> =>
  (await told(at)).filter((content) => content.includes(title));
const lineOf = async (id: number, at: number) => {
  const line = (await scene.lines(id)).find(({ address }) => address === wallets[at]);
  if (line === undefined) throw new Error(`${people[at]} gets nothing`);
  return line;
};
const isPaid = async (id: number, at: number): Promise<boolean> => {
  const { body } = await scene.send('GET', `/api/payouts/${id}?address=${wallets[at]}`);
  return (body as { data: { found: readonly { state: string }[] } }).data.found[0]?.state === 'paid';
};
/** Pays these members, and waits until the chain shows it. */
async function payAndWait(id: number, ats: readonly number[]): Promise<void> {
  for (const at of ats) await scene.pay([await lineOf(id, at)]);
  for (const at of ats) await until('the chain says it', () => isPaid(id, at), 60_000);
}

describe('A direct message about a payout', () => {
  test('is off until a member asks for it in /wallets, and names the amount, the number of rocks, the transaction and the page', async () => {
    expect((await walletsOf(0)).content).toContain('A direct message when a payout pays one of them: off.');
    await turn(0, on, 'on');
    const { id } = await scene.published('1111', 'October');
    const line = await lineOf(id, 0);
    await payAndWait(id, [1, 0]);
    await until('Gwen is told', async () => (await toldOf(0, 'October')).length > 0, 30_000);
    const [text = ''] = await toldOf(0, 'October');
    const { body } = await scene.send('GET', `/api/payouts/${id}?address=${line.address}`);
    const digest = (body as { data: { found: readonly { payments: readonly { digest: string }[] }[] } }).data.found[0]
      ?.payments[0]?.digest;
    expect(text).toContain('You were paid: October');
    expect(text).toMatch(new RegExp(`0\\.00000\\d+ SUI for ${line.rocks.length} rocks?, <t:\\d+:f>`));
    expect(text).toContain(`/tx/${digest})`);
    expect(text).toContain(`](${scene.product.url}/payouts/${id})`);
    expect(text).toContain('/wallets there switches it off');
    expect(await told(1)).toEqual([]);
  }, 180_000);

  test('is sent once, although the wallet is paid again, the product is killed and the ledger is read again', async () => {
    await turn(2, on, 'on');
    const { id } = await scene.published('1212', 'November');
    const hang = {
      service: 'discord',
      operation: 'POST /channels/{channel_id}/messages',
      kind: 'accepted-hang',
      times: 1,
    };
    await scene.product.control('/control/faults', hang);
    await payAndWait(id, [0]);
    await until('it has arrived', async () => (await toldOf(0, 'November')).length > 0, 30_000);
    await scene.product.restart('SIGKILL');
    await payAndWait(id, [2]);
    await until('Mo is told', async () => (await toldOf(2, 'November')).length > 0, 60_000);
    await scene.pay([await lineOf(id, 0)]);
    await noneWaits();
    expect(await toldOf(0, 'November')).toHaveLength(1);
    expect(await toldOf(2, 'November')).toHaveLength(1);
  }, 180_000);

  test('is not sent for open lines, for payments before the request, or after it was switched off', async () => {
    const { id } = await scene.published('1313', 'December');
    await payAndWait(id, [1]);
    await turn(1, on, 'on');
    await turn(0, off, 'off');
    await payAndWait(id, [0]);
    expect(await toldOf(2, 'December')).toEqual([]);
    await payAndWait(id, [2]);
    await until('Mo is told', async () => (await toldOf(2, 'December')).length > 0, 30_000);
    await noneWaits();
    expect(await toldOf(0, 'December')).toEqual([]);
    expect(await toldOf(1, 'December')).toEqual([]);
  }, 180_000);

  test('does not reach a member who accepts none, and still reaches the others', async () => {
    await scene.product.control('/control/discord/set-dms', { userId: members[3], isClosed: true });
    await turn(3, on, 'on');
    const { id } = await scene.published('1414', 'January');
    await payAndWait(id, [3, 2]);
    await until('Mo is told', async () => (await toldOf(2, 'January')).length > 0, 30_000);
    await noneWaits();
    expect(await told(3)).toEqual([]);
    const { body } = await scene.send('GET', `/api/discord/guilds/${scene.guildId}/statistics`);
    expect((body as { data: unknown }).data).toMatchObject({ failedActions: [], pendingActionCount: 0 });
  }, 180_000);

  test('is switched off when the last wallet is unlinked', async () => {
    const { id, components } = await walletsOf(2);
    const unlink = components.flatMap((row) => row.components).find(({ label }) => label?.startsWith('Unlink'));
    await press(2, id, unlink?.label ?? '');
    await until('nothing is linked', async () => {
      const { body } = await scene.send('GET', `/api/discord/guilds/${scene.guildId}/members/${members[2]}`);
      return (body as { data: { wallets: readonly unknown[] } }).data.wallets.length === 0;
    });
    await verify(scene.product, members[2] ?? '', people[2] ?? '');
    expect((await walletsOf(2)).content).toContain('pays one of them: off.');
  }, 120_000);
});

/** No direct message and no role change is on its way. */
const noneWaits = () =>
  until(
    'nothing waits at Discord',
    async () => {
      const { body } = await scene.send('GET', `/api/discord/guilds/${scene.guildId}/statistics`);
      return (body as { data: { pendingActionCount: number } }).data.pendingActionCount === 0;
    },
    60_000,
  );
