import { type AdminPayout, adminPayout, adminPayoutsAnswer } from '../../src/payouts/payout-admin-contract.ts';
import {
  type AnnouncementsAnswer,
  announcementsAnswer,
  type PayoutAnswer,
  payoutAnswer,
  type PayoutPlan,
  payoutPlan,
} from '../../src/payouts/payouts-contract.ts';
import { suiCoinType } from '../../src/shared/sui-address.ts';
import { seeded, setUp } from '../e2e/support/discord-life.ts';
import { type Product, startProduct } from './product.ts';
import { until } from './until.ts';
import { dataOf } from './route-request.ts';

/** The whole product with both bots on, a group and a server to post in, and payouts to post about. */
export type Announcing = Awaited<ReturnType<typeof startAnnouncing>>;

const admin = { username: 'ogg', password: 'rock-solid-password' } as const;
const waitMs = 90_000;

export async function startAnnouncing() {
  const product = await startProduct({ env: { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password } });
  const login = await fetch(`${product.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';', 1).join(''))
    .join('; ');
  const send = async (method: string, path: string, body?: unknown) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(product.url + path, { method, headers: { cookie, ...type }, ...json });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const { guildId, channels } = await startBots(product, send);
  const path = (id: number): string => `/api/admin/payouts/${id}/announcements`;
  return {
    product,
    send,
    guildId,
    verifyChannel: `discord:${channels.verify}`,
    group: (title: string) => newGroup(product, title),
    published: (raw: string, title = 'October'): Promise<AdminPayout> => publishedPayout(send, raw, title),
    announcements: async (id: number): Promise<AnnouncementsAnswer> =>
      dataOf(announcementsAnswer, (await send('GET', path(id))).body),
    announce: (id: number, kind: string, places: readonly string[]) => send('POST', path(id), { kind, places }),
    payoutPage: async (id: number): Promise<PayoutAnswer> =>
      dataOf(payoutAnswer, (await send('GET', `/api/payouts/${id}`)).body),
    lines: async (id: number): Promise<PayoutPlan['lines']> =>
      payoutPlan.parse(await (await fetch(`${product.url}/api/payouts/${id}/plan.json`)).json()).lines,
    pay: async (lines: readonly { readonly address: string; readonly raw: string }[]): Promise<void> => {
      for (const { address, raw } of lines) {
        await product.control('/control/pay', { to: address, coinType: suiCoinType, amount: raw });
      }
    },
    /** The messages of a place that contain these words. */
    standing: async (place: string, words: string): Promise<readonly string[]> => {
      const [platform = '', id = ''] = place.split(':');
      const key = platform === 'telegram' ? 'chatId' : 'channelId';
      const said = (await product.observe(`/control/${platform}/history?${key}=${id}`)) as readonly Said[];
      return said.map(({ text, content }) => text ?? content ?? '').filter((each) => each.includes(words));
    },
  };
}

interface Said {
  readonly text?: string;
  readonly content?: string;
}

type Send = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>;

async function startBots(product: Product, send: Send) {
  for (const bot of ['telegram', 'discord']) {
    const { status, body } = await send('POST', `/api/${bot}/init`);
    if (status !== 200) throw new Error(`${bot} did not start: ${JSON.stringify(body)}`);
  }
  await until('the commands are registered', async () => {
    const commands = (await product.observe('/control/discord/commands')) as readonly unknown[];
    return commands.length > 0;
  });
  await setUp(product);
  const { guildId, roles, channels } = await seeded(product);
  await until('the server is set up', async () => {
    const guilds = (await send('GET', '/api/discord/guilds')).body as {
      readonly data: readonly { readonly id: string; readonly config?: { readonly roleId: string } }[];
    };
    return guilds.data.find(({ id }) => id === guildId)?.config?.roleId === roles.holder;
  });
  return { guildId, channels };
}

/** Appears only in the cards of this payout, even if an earlier try of a test announced one with the same title. */
export const hashOf = ({ plan }: AdminPayout): string => plan?.sha256 ?? 'no plan';

/** A group as a place. The bot has already answered there, so a fault set from now on hits only a card. */
async function newGroup(product: Product, title: string): Promise<string> {
  const make = async (what: string, wanted: object): Promise<number> =>
    ((await product.control(`/control/telegram/${what}`, wanted)) as { data: { id: number } }).data.id;
  const userId = await make('create-user', { firstName: 'Ogga' });
  const chatId = await make('create-chat', { kind: 'group', title, members: [{ userId, status: 'creator' }] });
  await product.control('/control/telegram/type', { chatId, userId, text: '/help' });
  await until('the bot has answered', async () => {
    const said = (await product.observe(`/control/telegram/history?chatId=${chatId}`)) as readonly Said[];
    return said.some(({ text }) => text?.includes('What I understand'));
  });
  return `telegram:${chatId}`;
}

async function publishedPayout(send: Send, raw: string, title: string): Promise<AdminPayout> {
  const body = { title, reason: 'Revenue', coinType: suiCoinType, amount: { mode: 'per-rock', raw }, leftOut: [] };
  await until(
    'owners and treasury are read',
    async () => {
      const answer = await send('POST', '/api/admin/payouts/preview', body);
      return (answer.body as { data?: { outcome: unknown } }).data?.outcome != null;
    },
    waitMs,
  );
  const { id } = dataOf(adminPayout, (await send('POST', '/api/admin/payouts', body)).body);
  const now = async (): Promise<AdminPayout | undefined> =>
    dataOf(adminPayoutsAnswer, (await send('GET', '/api/admin/payouts')).body).payouts.find(
      (payout) => payout.id === id,
    );
  await send('POST', `/api/admin/payouts/${id}/snapshot`);
  await until('the snapshot is taken', async () => (await now())?.plan != null, waitMs);
  const { status, body: answer } = await send('POST', `/api/admin/payouts/${id}/publish`, {
    sha256: (await now())?.plan?.sha256,
  });
  if (status !== 200) throw new Error(`publishing answered ${status}: ${JSON.stringify(answer)}`);
  return dataOf(adminPayout, answer);
}
