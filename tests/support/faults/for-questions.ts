import { until } from '../until.ts';
import { botMessagesIn, checkWords, wordsOf } from './chat-words.ts';
import { type Episode, type Feature, felt, isDoneFirst, patientMs, within } from './feature.ts';
import type { FaultWorld } from './world.ts';

interface QuestionMemory {
  readonly command: '/floor' | '/status';
  /** The message that asked, during the fault. */
  askedId: number;
  /** Telegram's answer may be lost after it accepted the message. */
  mayRepeat: boolean;
}

const rightWords = { '/floor': /floor/i, '/status': /Tracking|Marketplace:/ } as const;

/** The words of every answer. Throws if one of them is wrong. */
function answersTo(world: FaultWorld, { command, askedId }: QuestionMemory): readonly string[] {
  const answers = botMessagesIn(world, world.chatId)
    .filter(({ replyToMessageId }) => replyToMessageId === askedId)
    .map(wordsOf);
  for (const words of answers) {
    checkWords(words);
    if (!rightWords[command].test(words)) throw new Error(`${command} was answered: ${words}`);
  }
  return answers;
}

const question = (command: QuestionMemory['command']): Feature<QuestionMemory> => ({
  name: command,
  seenBy: 'chat',
  remember: async () => ({ command, askedId: 0, mayRepeat: false }),
  during: async (world, episode, memory) => {
    const { upstream, kind } = episode;
    const isSilent = upstream === 'Telegram' || upstream === 'database';
    memory.mayRepeat = upstream === 'Telegram' && isDoneFirst(kind);
    if (command === '/floor') await ageFigures(world, episode);
    memory.askedId = ask(world, command);
    const said = (): string | undefined => answersTo(world, memory)[0];
    if (!(await within(isSilent ? 1_200 : patientMs, () => said() !== undefined))) return 'waits';
    if (isSilent && !memory.mayRepeat) throw new Error(`an impossible answer: ${said()}`);
    return command === '/floor' && /As of .* ago/.test(said() ?? '') ? 'last known' : 'as ever';
  },
  recovered: (world, memory) => until(`${command} is answered`, () => answersTo(world, memory).length > 0),
  inTheEnd: async (world, memory, during) => {
    // An answer that may not have arrived is sent again, a moment after the first one was seen.
    await inboxHandled(world);
    world.noteTold();
    const { length } = answersTo(world, memory);
    if (length === 1) return during;
    if (!memory.mayRepeat) throw new Error(`${command} was answered ${length} times`);
    return 'more than once';
  },
});

/** An update that could not be answered stays in the inbox, and is tried again when its claim has ended. */
const inboxHandled = ({ rows }: FaultWorld): Promise<void> =>
  until(
    'every update is handled',
    async () => (await rows('select 1 from telegram_inbox where handled_at is null')).length === 0,
  );

/** Ages the figures as if nothing had been read for long, which triggers a read at once. */
async function ageFigures(world: FaultWorld, episode: Episode): Promise<void> {
  const { rows } = world;
  const isMarket = episode.upstream === 'marketplace';
  // Answers from before the fault are stored by then.
  if (isMarket) await felt(world, episode, 'market');
  await rows("update tracked_collections set last_succeeded_at = last_succeeded_at - interval '1 hour'");
  if (isMarket) return;
  const isNew = `select 1 from tracked_collections where last_succeeded_at > clock_timestamp() - interval '1 minute'`;
  await until('the figures are read again', async () => (await rows(isNew)).length > 0);
}

/** Asks as a new user each time: answers per user are limited. */
function ask({ sandbox: { telegram }, chatId }: FaultWorld, command: QuestionMemory['command']): number {
  const { id: userId } = telegram.createUser({ firstName: 'Another' });
  telegram.setMember({ chatId, userId, status: 'member' });
  return telegram.type({ chatId, userId, text: command }).messageId;
}

export const floorQuestion = question('/floor');
export const statusQuestion = question('/status');
