import type { CommandContext, Context } from 'grammy';

import { adminsOnly, groupOnly } from '../core/chat-texts.ts';
import type { MessageContent } from '../core/message-content.ts';
import { answer, isGroup } from './answering.ts';
import type { AnswerOptions, BotDeps } from './bot-deps.ts';
import { meetGroup } from './meet-group.ts';
import { type Speaker, speakerOf } from './speaker.ts';

/** A command as it stands in a group whose row is known. */
export interface GroupCommand {
  readonly ctx: CommandContext<Context>;
  readonly chatId: number;
  readonly speaker: Speaker;
  readonly answer: (content: MessageContent, options?: AnswerOptions) => Promise<number>;
}

type Run = (command: GroupCommand) => Promise<unknown>;

/** For anyone in a group; in private it says where it belongs. */
export const inGroup =
  (deps: BotDeps, run: Run) =>
  async (ctx: CommandContext<Context>): Promise<void> => {
    const { msg } = ctx;
    if (!isGroup(msg.chat)) {
      await answer(deps, msg, groupOnly(ctx.message?.text?.slice(1).split(/[\s@]/, 1)[0] ?? ''));
      return;
    }
    // What a linked channel posts appears in the group as well: it is nobody's question (rulings R4).
    if (ctx.message?.is_automatic_forward === true) return;
    await meetGroup(deps, msg);
    await run({
      ctx,
      chatId: msg.chat.id,
      speaker: speakerOf(msg),
      answer: (content, options) => answer(deps, msg, content, options),
    });
  };

/** What anybody can bring about takes no more of the group's limit than what anybody may ask. */
const asked = { kind: 'question' } as const;

/** For group admins alone; anybody else is told so once in this chat, then not again. */
export const byGroupAdmin = (deps: BotDeps, run: Run) =>
  inGroup(deps, async (command) => {
    const { chatId, speaker } = command;
    const isAllowed = await maySetUp(deps, chatId, speaker);
    if (isAllowed === true) return run(command);
    if (isAllowed === null) return command.answer(adminUnknown, asked);
    return deps.chats.tellOnce(chatId, speaker.id, () => command.answer(adminsOnly(), asked));
  });

/** null: Telegram does not say. */
export const maySetUp = async (
  { admins }: Pick<BotDeps, 'admins'>,
  chatId: number,
  speaker: Speaker,
  isFresh = false,
): Promise<boolean | null> => {
  if (speaker.kind === 'anonymous-admin') return true;
  return speaker.kind === 'person' ? admins.isAdmin(chatId, speaker.id, isFresh) : false;
};

export const adminUnknown: MessageContent = {
  html: 'Telegram does not say right now whether you are an admin of this group. Nothing was changed. Please try again in a minute.',
  imageUrl: null,
  buttons: [],
  isSilent: true,
};
