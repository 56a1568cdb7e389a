import { cardOf } from '../cards/parts.ts';
import type { MessageContent } from '../cards/message-content.ts';

/** Said once when more is asked in a chat than may be answered there. */
export const waitNotice = (waitMs: number): MessageContent =>
  cardOf([`I am answering a lot here. Back in ${Math.max(1, Math.ceil(waitMs / 1_000))} s.`], { isSilent: true });

export const unknownCommand = (): MessageContent =>
  cardOf(['I do not know this command. Send /help to see all of them.']);

/** To words in private, which are none for the bot. */
export const commandsOnly = (): MessageContent => cardOf(['I understand commands only. Send /help to see them.']);
