import type { Api } from 'grammy';
import type { BotCommand, BotCommandScope } from 'grammy/types';

import { type CommandScope, menuOf } from '../commands/command-table.ts';

const scopes: Readonly<Record<CommandScope, BotCommandScope>> = {
  private: { type: 'all_private_chats' },
  group: { type: 'all_group_chats' },
  'group-admins': { type: 'all_chat_administrators' },
};

/** What people see under the bot's name before they add it (Bot API: at most 120 characters). */
const shortDescription = 'Posts the mints, sales, listings and bids of one NFT collection on Sui in your group.';

type IntroductionApi = Pick<Api, 'getMyCommands' | 'setMyCommands' | 'getMyShortDescription' | 'setMyShortDescription'>;

/** Registers the commands with their scopes and the short description (rulings R4); what is so already is left alone. */
export async function introduceBot(api: IntroductionApi, stop: AbortSignal): Promise<void> {
  for (const [name, scope] of Object.entries(scopes) as [CommandScope, BotCommandScope][]) {
    const commands = menuOf(name);
    const known = await api.getMyCommands({ scope }, stop as never);
    if (!sameCommands(known, commands)) await api.setMyCommands(commands, { scope }, stop as never);
  }
  const told = await api.getMyShortDescription({}, stop as never);
  if (told.short_description !== shortDescription) {
    await api.setMyShortDescription(shortDescription, {}, stop as never);
  }
}

const sameCommands = (known: readonly BotCommand[], wanted: readonly BotCommand[]): boolean =>
  known.length === wanted.length &&
  wanted.every(
    ({ command, description }, at) => known[at]?.command === command && known[at]?.description === description,
  );
