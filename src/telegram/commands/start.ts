import { startAnswer } from './texts/start-texts.ts';
import type { CommandHandler } from './command.ts';

/** A greeting: in private it leads to a group, in a group that is set up it names the followed collection. */
export const start: CommandHandler = async ({ place, chatId, me, answer }, { configurations }) => {
  if (place === 'group') return answer(startAnswer('group', (await configurations.ofChat(chatId))?.collectionName));
  const url = `https://t.me/${me.username}?startgroup=setup`;
  return answer({ ...startAnswer('private'), buttons: [[{ text: 'Add me to a group', url }]] });
};
