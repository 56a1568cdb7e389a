import { type Sandbox, startSandbox } from '../../../sandbox/start-sandbox.ts';
import { systemClock } from '../../../src/process/in-time.ts';
import type { TestDatabase } from '../database.ts';
import { type DatabaseLine, databaseLine } from '../database-line.ts';
import { until } from '../until.ts';
import { within } from './feature.ts';
import { makeHolder } from './for-members.ts';
import { chief, startWholeProduct, type WholeProduct } from './whole-product.ts';

/** Stays within src/telegram/bot/admit-updates.ts's limit per person; all moments together are too short to make a figure stale in a chat. */
const apartMs = 12_000;
const momentCount = 6;

type Database = Pick<TestDatabase, 'url' | 'pool' | 'drop'>;

export interface Called {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // Depends on the call; the caller knows its shape.
  readonly body: { readonly data: never; readonly message?: string; readonly code?: string };
}

/** The whole product with its outside systems, each of which can be broken: a group that tracks the rocks, a server with a role. */
export interface FaultWorld {
  readonly sandbox: Sandbox;
  /** A direct connection, without the proxy that fails. */
  readonly database: Database;
  readonly line: DatabaseLine;
  readonly product: WholeProduct;
  readonly chatId: number;
  /** Has the role and keeps holding a rock, so the role must never be taken. */
  holderId: string;
  readonly rows: <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Calls as the signed-in admin. */
  readonly call: (method: string, path: string, json?: unknown) => Promise<Called>;
  /** Moves the product's clock ahead of the real time, so that everything it has read is old. The chats' clock does not jump. */
  jumpAhead(aheadMs: number): void;
  productNowMs(): number;
  /** Moves both clocks on, so that a group gets again an answer that it just got. */
  moveOn(): void;
  /** Notes that a group got an answer now. */
  noteTold(): void;
  /** Everything logged so far. */
  readonly log: () => string;
  /** Failures of the product itself: unhandled rejections and fatal log lines. */
  readonly collapses: () => readonly string[];
  end(): Promise<void>;
}

/** Starts on that database, which it drops at the end. */
export async function startFaultWorld(database: Database): Promise<FaultWorld> {
  let log = '';
  let moment = 0;
  let answeredAtMs = 0;
  let aheadMs = 0;
  let movedMs = 0;
  const chatNowMs = (): number => Date.now() + moment * apartMs;
  const chatClock = { ...systemClock, now: () => new Date(chatNowMs()) };
  const clock = { ...systemClock, now: () => new Date(chatNowMs() + aheadMs) };
  // The node's newest checkpoint is of now, however far the time has jumped.
  const sandbox = await startSandbox({ telegramLimits: false, discordLimits: false, now: clock.now });
  const line = await databaseLine(database.url);
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
    // The nearest moment that is late enough: an earlier one could reach the noted time again during a wait for an answer.
    moveOn: () => {
      // Skips the product's waits for Telegram's limits, which are not tested here.
      movedMs += 120_000;
      const moments = Array.from({ length: momentCount }, (_, each) => each);
      moment = moments.find((each) => Date.now() + each * apartMs >= answeredAtMs + apartMs) ?? 0;
    },
    noteTold: () => void (answeredAtMs = chatNowMs()),
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
  // The seeded rocks are nearly all minted, but every fault needs one more.
  const rocks = sandbox.world.state.collections.get(sandbox.world.state.ownCollectionKey);
  if (rocks !== undefined) rocks.maxSupply = 100_000;
  await until('both bots run', async () => {
    const started = await Promise.all([call('POST', '/api/telegram/init'), call('POST', '/api/discord/init')]);
    return started.every(({ status }) => status === 200);
  });
  await Promise.all([followRocks(world), chooseRole(world)]);
  world.holderId = await makeHolder(world);
  // The card of the holder's own rock comes first; a chat that tracks the rocks too late for it never gets it.
  const sentCard = "select 1 from telegram_messages where kind = 'card' and state = 'sent'";
  await within(5_000, async () => (await world.rows(sentCard)).length > 0);
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
    'the group tracks the rocks',
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
  // A busy machine may answer 'Try again in 5 seconds'.
  await until('the role is chosen', async () => (await call('POST', '/api/discord/configure', wanted)).status === 200);
  await until('the commands are registered', () => discord.commands().length > 0);
}
