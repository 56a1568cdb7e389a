import { type Sandbox, startSandbox } from '../../../sandbox/start-sandbox.ts';
import { systemClock } from '../../../src/process/in-time.ts';
import type { TestDatabase } from '../database.ts';
import { type DatabaseLine, databaseLine } from '../database-line.ts';
import { until } from '../until.ts';
import { within } from './feature.ts';
import { makeHolder } from './for-members.ts';
import { chief, startWholeProduct, type WholeProduct } from './whole-product.ts';

/** Nobody is asked more than src/telegram/bot/admit-updates.ts lets one person ask; all of them together less than makes a figure old in a chat. */
const apartMs = 12_000;
const momentCount = 6;

type Database = Pick<TestDatabase, 'url' | 'pool' | 'drop'>;

export interface Called {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // Whatever the call answers; who asks knows.
  readonly body: { readonly data: never; readonly message?: string; readonly code?: string };
}

/** The whole product among its outside systems, each of which can be broken: a group that follows the rocks, a server with a role. */
export interface FaultWorld {
  readonly sandbox: Sandbox;
  /** Past the line that breaks. */
  readonly database: Database;
  readonly line: DatabaseLine;
  readonly product: WholeProduct;
  readonly chatId: number;
  /** Has the role and keeps holding: whoever takes it from them is wrong. */
  holderId: string;
  readonly rows: <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** As the admin, who is signed in. */
  readonly call: (method: string, path: string, json?: unknown) => Promise<Called>;
  /** So much later it is for the product, which has read everything before; 0: it is now. The chats' clock does not jump. */
  jumpAhead(aheadMs: number): void;
  productNowMs(): number;
  /** Another moment by both clocks: what a group was just told it is told again. */
  moveOn(): void;
  /** A group was told something at this moment. */
  noteTold(): void;
  /** Everything that was logged so far. */
  readonly log: () => string;
  /** Words of the product's own that nothing outside explains; empty: it stands. */
  readonly collapses: () => readonly string[];
  end(): Promise<void>;
}

/** On that database, which it drops at the end. */
export async function startFaultWorld(database: Database): Promise<FaultWorld> {
  const sandbox = await startSandbox({ telegramLimits: false, discordLimits: false });
  const line = await databaseLine(database.url);
  let log = '';
  let moment = 0;
  let toldAtMs = 0;
  let aheadMs = 0;
  let movedMs = 0;
  const chatNowMs = (): number => Date.now() + moment * apartMs;
  const chatClock = { ...systemClock, now: () => new Date(chatNowMs()) };
  const clock = { ...systemClock, now: () => new Date(chatNowMs() + aheadMs) };
  const write = (text: string): void => void (log += text);
  const product = await startWholeProduct({
    databaseUrl: line.url,
    sandbox,
    write,
    clock,
    chatClock,
    limitsNowMs: () => performance.now() + movedMs,
  });
  const unhandled: string[] = [];
  const noteUnhandled = (reason: unknown): void => void unhandled.push(String(reason));
  process.on('unhandledRejection', noteUnhandled);
  const ask = async (method: string, path: string, json?: unknown, cookie = ''): Promise<Called> => {
    const answer = await product.app.ask(path, {
      method,
      headers: { ...(cookie !== '' && { cookie }), ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return { ...answer, body: JSON.parse(answer.text) as Called['body'] };
  };
  const signedIn = await ask('POST', '/api/auth/login', chief);
  const cookie = String([signedIn.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
  const world: FaultWorld = {
    sandbox,
    database,
    line,
    product,
    chatId: sandbox.telegram.seeded.groupId,
    holderId: '',
    rows: async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
      (await database.pool.query<Row>(statement, [...values])).rows,
    call: (method, path, json) => ask(method, path, json, cookie),
    jumpAhead: (wantedMs) => void (aheadMs = wantedMs),
    productNowMs: () => clock.now().getTime(),
    // The nearest that comes after: a time before it may meet it again while somebody waits for an answer.
    moveOn: () => {
      // What the product keeps of Telegram's limits is not asked here.
      movedMs += 120_000;
      const moments = Array.from({ length: momentCount }, (_, each) => each);
      moment = moments.find((each) => Date.now() + each * apartMs >= toldAtMs + apartMs) ?? 0;
    },
    noteTold: () => void (toldAtMs = chatNowMs()),
    log: () => log,
    collapses: () => [...unhandled, ...log.split('\n').filter((entry) => /"level":60/.test(entry))],
    end: async () => {
      process.off('unhandledRejection', noteUnhandled);
      await sandbox.faults.clear();
      await line.mend();
      await product.stop();
      await line.end();
      await sandbox.stop();
      await database.drop();
    },
  };
  await prepare(world).catch(async (error: unknown) => {
    await world.end();
    throw error;
  });
  return world;
}

async function prepare(world: FaultWorld): Promise<void> {
  const { sandbox, call } = world;
  // The seeded rocks are nearly all minted; here one more is needed for every fault.
  const rocks = sandbox.world.state.collections.get(sandbox.world.state.ownCollectionKey);
  if (rocks !== undefined) rocks.maxSupply = 100_000;
  await until('both bots run', async () => {
    const started = await Promise.all([call('POST', '/api/telegram/init'), call('POST', '/api/discord/init')]);
    return started.every(({ status }) => status === 200);
  });
  await Promise.all([followRocks(world), chooseRole(world)]);
  world.holderId = await makeHolder(world);
  // The holder's own rock is told of first; a chat that follows the rocks too late for that never hears of it.
  const told = "select 1 from telegram_messages where kind = 'card' and state = 'sent'";
  await within(5_000, async () => (await world.rows(told)).length > 0);
  await until('the treasury was read', async () => (await call('GET', '/api/treasury/balance')).status === 200);
}

async function followRocks({ sandbox, chatId, rows }: FaultWorld): Promise<void> {
  const { telegram, facts } = sandbox;
  const userId = telegram.seeded.adminId;
  telegram.type({ chatId, userId, text: `/setup ${facts.collectionType}` });
  const asked = () =>
    telegram.history(chatId).find(({ from, text }) => from.is_bot && text?.includes('maximum supply'));
  await until('the bot asks for the supply', () => asked() !== undefined);
  const button = asked()?.replyMarkup?.inline_keyboard[0]?.[0]?.text ?? '';
  telegram.press({ chatId, messageId: asked()?.messageId ?? 0, userId, button });
  await until(
    'the group follows the rocks',
    async () => (await rows('select 1 from telegram_configurations')).length > 0,
  );
}

async function chooseRole({ sandbox, call, rows }: FaultWorld): Promise<void> {
  const { discord, facts } = sandbox;
  const { guildId, roles, channels } = discord.seeded;
  const known = 'select 1 from discord_guilds where guild_id = $1';
  await until('the server is known', async () => (await rows(known, [guildId])).length > 0);
  const wanted = {
    guildId,
    roleId: roles.holder,
    channelId: channels.verify,
    nftContract: facts.collectionType,
    nftName: 'Sui Rocks',
  };
  // A busy machine may answer 'Try again in 5 seconds', as it would anybody.
  await until('the role is chosen', async () => (await call('POST', '/api/discord/configure', wanted)).status === 200);
  await until('the commands are registered', () => discord.commands().length > 0);
}
