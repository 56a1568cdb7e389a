import { until } from '../until.ts';
import { type Feature, type Outcome, within } from './feature.ts';
import { chief } from './whole-product.ts';
import type { Called, FaultWorld } from './world.ts';

/** A refusal is a sentence and a retry time; anything else but a success is wrong. */
function checkedOutcome(path: string, { status, headers, body }: Called): Outcome {
  if (status === 200) return 'as ever';
  const isSentence = (body.message ?? '').length > 10 && body.code === 'database-unavailable';
  if (status === 503 && isSentence && headers['retry-after'] !== undefined) return 'says so';
  throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
}

/** The first outcome that is not 'as ever'. */
const worst = (seen: readonly Outcome[]): Outcome => seen.find((outcome) => outcome !== 'as ever') ?? 'as ever';

const tabs = ['/api/telegram/configs', '/api/discord/guilds', '/api/audit'] as const;

export const adminTabs: Feature<null> = {
  name: 'admin tabs',
  seenBy: 'admin',
  remember: async () => null,
  during: async ({ call }) =>
    worst(await Promise.all(tabs.map(async (path) => checkedOutcome(path, await call('GET', path))))),
  recovered: ({ call }) =>
    until('the tabs work again', async () => {
      const answers = await Promise.all(tabs.map((path) => call('GET', path)));
      return answers.every(({ status }) => status === 200);
    }),
};

export const login: Feature<null> = {
  name: 'login',
  seenBy: 'admin',
  remember: async () => null,
  during: async ({ call }) =>
    worst([
      checkedOutcome('login', await call('POST', '/api/auth/login', chief)),
      checkedOutcome('check', await call('GET', '/api/auth/check')),
    ]),
  recovered: ({ call }) =>
    until('the admin is still signed in', async () => (await call('GET', '/api/auth/check')).status === 200),
};

interface BotState {
  readonly state: string;
  readonly lastError: { readonly message: string; readonly at: string } | null;
}

function stateOf(path: string, { status, body }: Called): BotState {
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** Whether the error belongs to this fault, not to one before it. */
const isErrorSince = ({ lastError }: BotState, beganAtMs: number): boolean =>
  lastError !== null && Date.parse(lastError.at) >= beganAtMs && lastError.message.length > 10;

/** Ends a running long poll by writing a message. */
function keepAsking({ sandbox: { telegram }, chatId }: FaultWorld): void {
  if (telegram.counters().pendingUpdates > 0) return;
  const { id: userId } = telegram.createUser({ firstName: 'Another' });
  telegram.setMember({ chatId, userId, status: 'member' });
  telegram.type({ chatId, userId, text: '/help' });
}

const botStatus = (name: string, path: string): Feature<null> => ({
  name,
  seenBy: 'admin',
  remember: async () => null,
  during: async (world: FaultWorld, { upstream, beganAtMs }): Promise<Outcome> => {
    const read = (): Promise<Called> => world.call('GET', path);
    if (upstream === 'database') return checkedOutcome(path, await read());
    const now = async (): Promise<BotState> => stateOf(path, await read());
    const isErrorShown = await within(6_000, async () => {
      if (upstream === 'Telegram') keepAsking(world);
      return isErrorSince(await now(), beganAtMs);
    });
    if (isErrorShown) return 'says what is wrong';
    const { state, lastError } = await now();
    if (state === 'active') return 'as ever';
    throw new Error(`${state} without a current sentence: ${lastError?.message}`);
  },
  recovered: async (world) => {
    await until(`${name} is well`, async () => stateOf(path, await world.call('GET', path)).state === 'active', 30_000);
    // A long poll whose answer broke off ends at its own timeout; only then does the bot receive updates again.
    keepAsking(world);
    await until('the bot receives updates', () => world.sandbox.telegram.counters().pendingUpdates === 0);
  },
});

export const telegramStatus = botStatus('status of the Telegram bot', '/api/telegram/status');
export const discordStatus = botStatus('status of the Discord bot', '/api/discord/status');

/** The bot is shut down before the fault, so no other feature uses it meanwhile. */
const botStart = (name: string, basePath: string): Feature<null> => ({
  name,
  seenBy: 'admin',
  remember: async ({ call }) => {
    const { status, body } = await call('POST', `${basePath}/shutdown`);
    if (status !== 200) throw new Error(`shutdown answered ${status}: ${body.message}`);
    return null;
  },
  during: async ({ call }): Promise<Outcome> => {
    const { status, body } = await call('POST', `${basePath}/init`);
    if (status === 200) return 'as ever';
    if (status === 503 && body.code === 'bot-failing' && (body.message ?? '').length > 10) return 'says what is wrong';
    if (status === 409 && body.code === 'bot-still-starting') return 'waits';
    throw new Error(`init answered ${status}: ${JSON.stringify(body)}`);
  },
  recovered: async ({ call }) => {
    const path = `${basePath}/status`;
    await until(`${name} succeeded`, async () => stateOf(path, await call('GET', path)).state === 'active', 30_000);
  },
});

export const telegramStart = botStart('Start of the Telegram bot', '/api/telegram');
export const discordStart = botStart('Start of the Discord bot', '/api/discord');
