import type { Message } from 'grammy/types';

import { restoredNotice } from '../core/chat-texts.ts';
import { factsOf } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';

/** By two clocks; and what was asked just before the bot was put out may be read after that. */
const clockSlackMs = 60_000;

const asMember = { status: 'member', canSendMessages: true, canSendPhotos: true } as const;

/**
 * The group has its row. What is asked there shows that the bot is in it, also where its return was never told: Telegram keeps an
 * update for a day (Bot API, Getting updates). Otherwise it would answer, tell nothing, and lose the configuration after 30 days.
 */
export async function meetGroup(
  { chats, membership, sendNow }: Pick<BotDeps, 'chats' | 'membership' | 'sendNow'>,
  { chat, date }: Pick<Message, 'chat' | 'date'>,
): Promise<void> {
  await chats.meet(factsOf(chat));
  const removedAt = (await chats.read(chat.id))?.removedAt ?? null;
  if (removedAt === null || date * 1_000 < removedAt.getTime() + clockSlackMs) return;
  const outcome = await membership.note(factsOf(chat), asMember, false);
  // The word comes before the answer, which may be about what is back.
  if (outcome.kind === 'added' && outcome.restored !== null)
    await sendNow(chat.id, null, restoredNotice(outcome.restored));
}
