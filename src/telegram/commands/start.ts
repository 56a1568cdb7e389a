import { cardOf, collectionHtml, headline, type MessageContent } from '../cards/message-html.ts';
import type { Command, CommandCall } from './command.ts';
import { safetyLine } from '../cards/chat-texts.ts';

/** In private it leads to a group; in a group that is set up it names the followed collection. */
export const start: Command = {
  name: 'start',
  who: 'anyone',
  where: 'everywhere',
  menuLine: 'What the bot does and what to do next',
  page: { text: 'Says hello, what the bot does and what to do next.' },
  handle: async ({ place, chatId, me, answer }, { configurations }) => {
    if (place === 'group') return answer(startAnswer('group', (await configurations.ofChat(chatId))?.collectionName));
    // If startgroup had a value, Telegram would also send /start in the group, and the bot would say hello twice.
    const url = `https://t.me/${me.username}?startgroup`;
    return answer({ ...startAnswer('private'), buttons: [[{ text: 'Add me to a group', url }]] });
  },
};

type Place = CommandCall['place'];

const nextStep = (place: Place, followed: string | null): string => {
  if (place === 'private')
    return 'Add me to a group where you are an admin, then send /setup with the collection address there.';
  return followed === null
    ? 'A group admin connects this group: send /setup with the collection address.'
    : `This group follows <b>${collectionHtml(followed)}</b>. Group admins choose what gets posted with /tracking.`;
};

/** /start: a greeting, what the bot does and what to do next. `followed`: the collection of a group that is set up. */
export const startAnswer = (place: Place, followed: string | null = null): MessageContent =>
  cardOf([
    headline('🪨', '<b>Hello, I keep watch over an NFT collection on Sui.</b>'),
    'I post mints, sales, listings and bids in a group, with the price, how it compares with the floor, and mint progress.',
    '',
    nextStep(place, followed),
    'All commands: /help',
    safetyLine,
  ]);
