import { until } from '../until.ts';
import { botWordsIn, checkWords } from './chat-words.ts';
import {
  felt,
  type Episode,
  type Feature,
  isDoneFirst,
  met,
  type Outcome,
  passed,
  patientMs,
  within,
} from './feature.ts';
import type { FaultWorld } from './world.ts';

interface CardMemory {
  /** The name of the rock that is minted during the fault. */
  rockName: string;
  /** Telegram's answer may be lost after it accepted the message. */
  mayRepeat: boolean;
}

const cardsOf = (world: FaultWorld, { rockName }: CardMemory): readonly string[] =>
  botWordsIn(world, world.chatId).filter((words) => new RegExp(`${rockName}(?!\\d)`).test(words));

/** A mint, which uses the whole pipeline: activity, delivery, card. */
export const cards: Feature<CardMemory> = {
  name: 'notification of a mint',
  seenBy: 'chat',
  remember: async ({ rows }) => {
    // A chat gets its messages in order: an earlier one would be tried first.
    const waiting = "select 1 from telegram_messages where state in ('pending', 'sending')";
    await until('no card waits', async () => (await rows(waiting)).length === 0);
    return { rockName: '', mayRepeat: false };
  },
  during: async (world, episode, memory) => {
    const { sandbox } = world;
    const { upstream, kind } = episode;
    const { name } = sandbox.world.mint({
      address: sandbox.world.state.treasuryAddress.replace(/.$/, '7'),
      // At no price, so that the treasury's balance stays as its own test expects.
      priceMist: 0n,
    });
    memory.rockName = name;
    memory.mayRepeat = upstream === 'Telegram' && isDoneFirst(kind);
    const hasArrived = (): boolean => cardsOf(world, memory).length > 0;
    if (upstream === 'marketplace') await felt(world, episode, 'market');
    else if (upstream === 'Telegram') await triedToSend(world, episode, memory);
    else if (upstream === 'database') await passed(1_200);
    else await within(patientMs, hasArrived);
    return hasArrived() ? 'as ever' : 'waits';
  },
  recovered: (world, memory) =>
    until(`the chat has a card of ${memory.rockName}`, async () => {
      const [row] = await cardRows(world, memory);
      return row?.state === 'sent' && cardsOf(world, memory).length > 0;
    }),
  inTheEnd: async (world, memory, during) => {
    const received = cardsOf(world, memory);
    for (const words of received) checkWords(words);
    if (received.length === 1) return during;
    const [row, ...more] = await cardRows(world, memory);
    const isMarked = row?.is_doubtful === true && more.length === 0 && received.length <= row.attempts;
    if (memory.mayRepeat && isMarked) return 'more than once';
    throw new Error(`${memory.rockName} was sent ${received.length} times`);
  },
};

/** The messages about one rock in one chat; there should be one. `attempts`: how often sending was tried. */
const cardRows = (world: FaultWorld, { rockName }: CardMemory) =>
  world.rows<{ state: string; is_doubtful: boolean; attempts: number }>(
    `select state, is_doubtful, attempts from telegram_messages where chat_id = $1 and content::text ~ $2`,
    [world.chatId, `${rockName}([^0-9]|$)`],
  );

/** This card was tried and failed. A 429 does not count as an attempt, so there only the call shows it. */
const triedToSend = (world: FaultWorld, { kind, beganAtMs }: Episode, memory: CardMemory): Promise<void> =>
  until('a delivery was attempted', async () => {
    if (kind.startsWith('429')) return met(world, 'telegram', beganAtMs, /^send(?:Message|Photo)$/) > 0;
    const [row] = await cardRows(world, memory);
    return (row?.attempts ?? 0) > 0;
  });

interface SetupMemory {
  /** Another group, which tracks nothing yet. */
  readonly chatId: number;
  /** Telegram's answer may be lost after it accepted the message. */
  mayRepeat: boolean;
}

const isQuestion = (words: string): boolean => words.includes('maximum supply');
const isToTryAgain = (words: string): boolean => /try again|later|reach/i.test(words);

export const setup: Feature<SetupMemory> = {
  name: '/setup',
  seenBy: 'chat',
  remember: async ({ sandbox }) => {
    const { adminId } = sandbox.telegram.seeded;
    const members = [{ userId: adminId, status: 'creator' as const }];
    const { id } = sandbox.telegram.createChat({ kind: 'supergroup', title: 'Another group', members });
    return { chatId: id, mayRepeat: false };
  },
  during: async (world, { upstream, kind }, memory): Promise<Outcome> => {
    const { chatId } = memory;
    memory.mayRepeat = upstream === 'Telegram' && isDoneFirst(kind);
    type(world, chatId);
    const isSilent = upstream === 'Telegram' || upstream === 'database';
    const said = (): string | undefined => botWordsIn(world, chatId)[0];
    if (!(await within(isSilent ? 1_200 : patientMs, () => said() !== undefined))) return 'waits';
    const words = said() ?? '';
    if (isQuestion(words) && (!isSilent || memory.mayRepeat)) return 'as ever';
    // With Telegram failing, this can be seen only if it accepts the message and spoils its answer.
    if (isToTryAgain(words) && (upstream !== 'Telegram' || memory.mayRepeat)) return 'says so';
    throw new Error(`/setup was answered: ${words}`);
  },
  recovered: async (world, { chatId }) => {
    const isAsked = (): boolean => botWordsIn(world, chatId).some(isQuestion);
    // A user who was told to try again does so; one without an answer yet waits for it.
    if (botWordsIn(world, chatId).some(isToTryAgain) && !isAsked()) type(world, chatId);
    await until('the bot asks for the supply', isAsked);
  },
  inTheEnd: async (world, { chatId, mayRepeat }, during) => {
    const words = botWordsIn(world, chatId);
    const odd = words.find((each) => !isQuestion(each) && !isToTryAgain(each));
    if (odd !== undefined) throw new Error(`/setup was answered: ${odd}`);
    const askedCount = words.filter(isQuestion).length;
    if (askedCount === 1) return during;
    if (mayRepeat) return 'more than once';
    throw new Error(`the bot asked ${askedCount} times for the supply`);
  },
};

function type({ sandbox }: FaultWorld, chatId: number): void {
  sandbox.telegram.type({
    chatId,
    userId: sandbox.telegram.seeded.adminId,
    text: `/setup ${sandbox.facts.collectionType}`,
  });
}
