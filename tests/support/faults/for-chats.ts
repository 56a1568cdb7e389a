import { until } from '../until.ts';
import { felt, type Episode, type Feature, met, type Outcome, passed, within } from './feature.ts';
import type { Upstream } from './upstreams.ts';
import type { FaultWorld } from './world.ts';

type ChatMessage = ReturnType<FaultWorld['sandbox']['telegram']['history']>[number];

const ofBot = ({ sandbox, chatId }: FaultWorld): readonly ChatMessage[] =>
  sandbox.telegram.history(chatId).filter(({ from }) => from.is_bot);
const wordsOf = ({ text }: ChatMessage): string => text ?? '';

interface CardMemory {
  /** Of the rock that is minted during the fault. */
  rockName: string;
  /** Its answer may be lost after the message was taken. */
  mayRepeat: boolean;
}

const cardsOf = (world: FaultWorld, { rockName }: CardMemory): number =>
  ofBot(world).filter((message) => new RegExp(`${rockName}(?!\\d)`).test(wordsOf(message))).length;

/** The other side has done it before its answer is spoiled. */
const doneFirst = /^(?:truncated|wrong types|empty|huge answer|slow drip|timeout)$/;

/** A mint, by which all of the pipeline is used: activity, delivery, card. */
export const cards: Feature<CardMemory> = {
  name: 'notification of a mint',
  seenBy: 'chat',
  remember: async () => ({ rockName: '', mayRepeat: false }),
  during: async (world, episode, memory) => {
    const { sandbox } = world;
    const { upstream, kind } = episode;
    const { name } = sandbox.world.mint({ address: sandbox.world.state.treasuryAddress.replace(/.$/, '7') });
    memory.rockName = name;
    memory.mayRepeat = upstream === 'Telegram' && doneFirst.test(kind);
    const isTold = (): boolean => cardsOf(world, memory) > 0;
    if (upstream === 'marketplace') await felt(world, episode, 'market');
    else if (upstream === 'Telegram') await triedToSend(world, episode);
    else if (upstream === 'database') await passed(1_200);
    else if (!(await within(10_000, isTold))) return 'waits';
    if (memory.mayRepeat) return 'waits, perhaps twice';
    return isTold() ? 'as ever' : 'waits';
  },
  recovered: async (world, memory) => {
    await until(`the chat hears of ${memory.rockName}`, () => cardsOf(world, memory) > 0, 30_000);
    const [row] = await world.rows<{ is_doubtful: boolean }>(
      `select is_doubtful from telegram_messages where content::text like $1 order by id desc limit 1`,
      [`%${memory.rockName}%`],
    );
    const told = cardsOf(world, memory);
    if (told > 1 && !(memory.mayRepeat && row?.is_doubtful === true)) {
      throw new Error(`${memory.rockName} was told ${told} times`);
    }
  },
};

/** A delivery was tried and failed; while nothing can be reached, the row says so. */
const triedToSend = (world: FaultWorld, { beganAtMs }: Episode): Promise<void> =>
  until('a delivery was tried', async () => {
    if (met(world, 'telegram', beganAtMs, /^send/) > 0) return true;
    const rows = await world.rows("select 1 from telegram_messages where state = 'pending' and attempts > 0");
    return rows.length > 0;
  });

interface QuestionMemory {
  readonly command: '/floor' | '/status';
  askedId: number;
  /** What changes nothing is not written down: while the database or Telegram is away, it may be left out. */
  isLeftOut: boolean;
}

const answerTo = (world: FaultWorld, { askedId }: QuestionMemory): ChatMessage | undefined =>
  ofBot(world).find(({ messageId, replyToMessageId, text }) => {
    if (messageId <= askedId) return false;
    return replyToMessageId === askedId || /floor|Tracking/.test(text ?? '');
  });

const question = (command: QuestionMemory['command']): Feature<QuestionMemory> => ({
  name: command,
  seenBy: 'chat',
  remember: async () => ({ command, askedId: 0, isLeftOut: false }),
  during: async (world, { upstream, kind }, memory) => {
    const isSilent = upstream === 'Telegram' || upstream === 'database';
    memory.isLeftOut = isSilent;
    if (command === '/floor') await ageFigures(world, upstream);
    askIn(world, memory);
    const said = () => answerTo(world, memory);
    const isAnswered = await within(isSilent ? 1_200 : 10_000, () => said() !== undefined);
    if (isAnswered && isSilent && !doneFirst.test(kind))
      throw new Error(`an answer that cannot be: ${wordsOf(said()!)}`);
    if (upstream === 'Telegram') return 'late or left out';
    if (!isAnswered) return memory.isLeftOut ? 'says nothing' : 'waits';
    const text = wordsOf(said()!);
    if (/\b0 SUI|undefined|NaN/.test(text)) throw new Error(`a wrong answer: ${text}`);
    return /does not answer/.test(text) ? 'last known' : 'as ever';
  },
  recovered: async (world, memory) => {
    const isAnswered = (): boolean => answerTo(world, memory) !== undefined;
    const asksAgain = async (): Promise<boolean> => {
      if (memory.isLeftOut) askIn(world, memory);
      return within(memory.isLeftOut ? 2_000 : 30_000, isAnswered);
    };
    await until(`${command} is answered`, asksAgain, 30_000);
  },
});

/** As if nothing had been read for long; whoever can read, does so at once. */
async function ageFigures({ rows }: FaultWorld, upstream: Upstream): Promise<void> {
  await rows("update tracked_collections set last_succeeded_at = last_succeeded_at - interval '1 hour'");
  if (upstream === 'marketplace') return;
  const isNew = `select 1 from tracked_collections where last_succeeded_at > clock_timestamp() - interval '1 minute'`;
  await until('the figures are read again', async () => (await rows(isNew)).length > 0);
}

/** Always by somebody else: nobody is answered all the time. */
function askIn({ sandbox, chatId }: FaultWorld, memory: QuestionMemory): void {
  const { telegram } = sandbox;
  const { id: userId } = telegram.createUser({ firstName: 'Another' });
  telegram.setMember({ chatId, userId, status: 'member' });
  memory.askedId = telegram.type({ chatId, userId, text: memory.command }).messageId;
}

export const floorQuestion = question('/floor');
export const statusQuestion = question('/status');

interface SetupMemory {
  /** Another group, that follows nothing yet. */
  readonly chatId: number;
}

const setupAnswers = ({ sandbox }: FaultWorld, chatId: number): readonly string[] =>
  sandbox.telegram
    .history(chatId)
    .filter(({ from }) => from.is_bot)
    .map(wordsOf);

export const setup: Feature<SetupMemory> = {
  name: '/setup',
  seenBy: 'chat',
  remember: async ({ sandbox }) => {
    const { adminId } = sandbox.telegram.seeded;
    const members = [{ userId: adminId, status: 'creator' as const }];
    return { chatId: sandbox.telegram.createChat({ kind: 'supergroup', title: 'Another group', members }).id };
  },
  during: async (world, { upstream }, { chatId }): Promise<Outcome> => {
    type(world, chatId);
    const isSilent = upstream === 'Telegram' || upstream === 'database';
    const said = () => setupAnswers(world, chatId).find((text) => /maximum supply|try again|later|reach/i.test(text));
    if (!(await within(isSilent ? 1_200 : 10_000, () => said() !== undefined)) || isSilent) return 'waits';
    return /maximum supply/.test(said() ?? '') ? 'as ever' : 'says so';
  },
  recovered: async (world, { chatId }) => {
    const isAsked = (): boolean => setupAnswers(world, chatId).some((text) => text.includes('maximum supply'));
    // Who was told that it cannot be read now asks again; who was told nothing yet waits for the answer.
    if (setupAnswers(world, chatId).length > 0 && !isAsked()) type(world, chatId);
    await until('the bot asks for the supply', isAsked);
  },
};

function type({ sandbox }: FaultWorld, chatId: number): void {
  sandbox.telegram.type({
    chatId,
    userId: sandbox.telegram.seeded.adminId,
    text: `/setup ${sandbox.facts.collectionType}`,
  });
}
