import { until } from '../until.ts';
import { botMessagesIn, checkWords, wordsOf } from './chat-words.ts';
import { type Feature, isDoneFirst, patientMs, within } from './feature.ts';
import type { Upstream } from './upstreams.ts';
import type { FaultWorld } from './world.ts';

interface QuestionMemory {
  readonly command: '/floor' | '/status';
  /** The messages that asked; the first during the fault. */
  readonly askedIds: number[];
  /** An answer counts for a minute: while the database or Telegram is away, it may be left out. */
  isLeftOut: boolean;
  /** Its answer may be lost after the message was taken. */
  mayRepeat: boolean;
}

const rightWords = { '/floor': /floor/i, '/status': /Tracking|Marketplace:/ } as const;

/** Says that this chat is at its limit, after so many questions in a minute: not an answer yet. */
const isWaitNotice = (words: string): boolean => words.startsWith('I am answering a lot here');

/** The words of every answer to one question. Throws when one of them is no right answer. */
function answersTo(world: FaultWorld, { command }: QuestionMemory, askedId: number | undefined): readonly string[] {
  const answers = botMessagesIn(world, world.chatId)
    .filter(({ replyToMessageId }) => replyToMessageId === askedId)
    .map(wordsOf)
    .filter((words) => !isWaitNotice(words));
  for (const words of answers) {
    checkWords(words);
    if (!rightWords[command].test(words)) throw new Error(`${command} was answered: ${words}`);
  }
  return answers;
}

const question = (command: QuestionMemory['command']): Feature<QuestionMemory> => ({
  name: command,
  seenBy: 'chat',
  remember: async () => ({ command, askedIds: [], isLeftOut: false, mayRepeat: false }),
  during: async (world, { upstream, kind }, memory) => {
    const isSilent = upstream === 'Telegram' || upstream === 'database';
    memory.isLeftOut = isSilent;
    memory.mayRepeat = upstream === 'Telegram' && isDoneFirst(kind);
    if (command === '/floor') await ageFigures(world, upstream);
    askIn(world, memory);
    const said = (): string | undefined => answersTo(world, memory, memory.askedIds[0])[0];
    if (!(await within(isSilent ? 1_200 : patientMs, () => said() !== undefined))) {
      return isSilent ? 'says nothing' : 'waits';
    }
    if (isSilent && !memory.mayRepeat) throw new Error(`an answer that cannot be: ${said()}`);
    return command === '/floor' && /As of .* ago/.test(said() ?? '') ? 'last known' : 'as ever';
  },
  recovered: async (world, memory) => {
    const isAnswered = (): boolean => memory.askedIds.some((askedId) => answersTo(world, memory, askedId).length > 0);
    if (!memory.isLeftOut) return until(`${command} is answered`, isAnswered);
    await until('the question is taken', () => world.sandbox.telegram.counters().pendingUpdates === 0);
    await nobodyWaits(world);
    // It is late, or it was left out: then somebody asks again.
    if (await within(lateAtMostMs, isAnswered)) return;
    const asksAgain = async (): Promise<boolean> => {
      askIn(world, memory);
      return within(2_000, isAnswered);
    };
    await until(`${command} is answered`, asksAgain);
  },
  inTheEnd: async (world, memory, during) => {
    // An answer whose fate nobody knows is given again, a moment after the first was seen.
    await nobodyWaits(world);
    world.noteTold();
    const counts = memory.askedIds.map((askedId) => answersTo(world, memory, askedId).length);
    const [firstCount = 0] = counts;
    const isRepeated = counts.some((count) => count > 1);
    if (isRepeated && !memory.mayRepeat) throw new Error(`${command} was answered ${Math.max(...counts)} times`);
    if (isRepeated) return 'more than once';
    if (during !== 'says nothing') return during;
    return firstCount > 0 ? 'late' : 'left out';
  },
});

/** What could not be answered is written down, and tried again when its claim has ended. */
const nobodyWaits = ({ rows }: FaultWorld): Promise<void> =>
  until(
    'nobody waits for an answer',
    async () => (await rows('select 1 from telegram_inbox where handled_at is null')).length === 0,
  );

/** A question waits for its turn so long at most, once Telegram is back: afterwards it is left out. */
const lateAtMostMs = 3_000;

/** As if nothing had been read for long; whoever can read, does so at once. */
async function ageFigures({ rows }: FaultWorld, upstream: Upstream): Promise<void> {
  await rows("update tracked_collections set last_succeeded_at = last_succeeded_at - interval '1 hour'");
  if (upstream === 'marketplace') return;
  const isNew = `select 1 from tracked_collections where last_succeeded_at > clock_timestamp() - interval '1 minute'`;
  await until('the figures are read again', async () => (await rows(isNew)).length > 0);
}

/** Always by somebody else: nobody is answered all the time. */
function askIn({ sandbox, chatId }: FaultWorld, { askedIds, command }: QuestionMemory): void {
  const { telegram } = sandbox;
  const { id: userId } = telegram.createUser({ firstName: 'Another' });
  telegram.setMember({ chatId, userId, status: 'member' });
  askedIds.push(telegram.type({ chatId, userId, text: command }).messageId);
}

export const floorQuestion = question('/floor');
export const statusQuestion = question('/status');
