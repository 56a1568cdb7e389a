import { answer, factsOf } from '../bot/answering.ts';
import type { AnswerOptions, BotDeps } from '../bot/bot-deps.ts';
import type { SupplyReply } from '../bot/read-asked.ts';
import { speakerOf } from '../bot/speaker.ts';
import type { MessageContent } from '../cards/message-content.ts';
import { isGroupAdmin } from './command.ts';
import { finishSetup } from './finish-setup.ts';
import { adminsOnly, adminUnknown, notYourSetup } from './texts/chat-texts.ts';
import { setupExpired, supplyRefused } from './texts/setup-texts.ts';
import { parseSupply, supplyDoubt } from './texts/supply-answer.ts';

/**
 * The number that a group admin replies with after 'Enter another'; only from the one who began the setup. A reply to
 * any of its questions counts, the first or one that refused a number.
 */
export async function takeSupply(deps: BotDeps, reply: SupplyReply): Promise<void> {
  const { message, options, isOnce } = await answerTo(deps, reply);
  const say = () => answer(deps, reply, message, options);
  await (isOnce === true ? deps.chats.tellOnce(reply.chat.id, speakerOf(reply).id, say) : say());
}

interface Answer {
  readonly message: MessageContent;
  readonly options?: AnswerOptions;
  /** Not again to someone who has read it. */
  readonly isOnce?: boolean;
}

async function answerTo(deps: BotDeps, msg: SupplyReply): Promise<Answer> {
  const chat = { id: msg.chat.id, title: factsOf(msg.chat).title };
  const speaker = speakerOf(msg);
  const isAllowed = await isGroupAdmin(deps, chat.id, speaker, true);
  if (isAllowed === null) return { message: adminUnknown(), options: { kind: 'question' } };
  if (!isAllowed) return { message: adminsOnly(), options: { kind: 'question' }, isOnce: true };
  const pending = await deps.setups.read(chat.id);
  const typed = parseSupply(msg.text, pending?.found.mintedCount);
  if (pending === null && typed.kind === 'supply') {
    return { message: await finishSetup(deps, { chat, pending, maxSupply: typed.supply, by: speaker }) };
  }
  // A question of an older setup does not answer a newer one.
  if (pending?.step !== 'enter-supply' || msg.reply_to_message.message_id < (pending.promptMessageId ?? 0))
    return { message: setupExpired() };
  if (speaker.id !== pending.startedBy) return { message: notYourSetup(), isOnce: true };
  if (typed.kind === 'refused') return { message: supplyRefused(typed.problem), options: { forceReply: true } };
  const doubt = supplyDoubt({
    found: pending.found,
    supply: typed.supply,
    repliesTo: msg.reply_to_message.text ?? '',
  });
  if (doubt !== null) return { message: doubt, options: { forceReply: true } };
  return { message: await finishSetup(deps, { chat, pending, maxSupply: typed.supply, by: speaker }) };
}
