import { type APIApplicationCommandBasicOption, ApplicationCommandOptionType } from 'discord.js';

import { helpText } from './rules/bot-texts.ts';
import type { Answer, Asked } from './answering.ts';
import type { BotDeps } from './bot-deps.ts';
import { panelChannelTypes } from '../servers/describe-guild.ts';
import { setUp } from './setup-command.ts';
import { showStats, showWallets, verify, why } from './wallets-command.ts';

export type Answering = (asked: Asked, deps: BotDeps) => Promise<Answer> | Answer;

interface Command {
  readonly name: string;
  /** In Discord's list and in /help; at most 100 characters. */
  readonly description: string;
  /** Offered to members who may manage the server; the handler asks again. */
  readonly isForManagers?: boolean;
  readonly options?: readonly APIApplicationCommandBasicOption[];
  readonly answer: Answering;
}

/** The bot's commands (rulings R5): what is registered, listed by /help and answered. */
export const commands: readonly Command[] = [
  { name: 'verify', description: 'Link a wallet and get the holder role', answer: verify },
  {
    name: 'wallets',
    description: 'See the wallets you have linked, unlink one, or delete your data',
    answer: showWallets,
  },
  {
    name: 'why',
    description: 'Why you have the holder role, or do not: every wallet and the last check',
    answer: why,
  },
  {
    name: 'setup',
    description: 'Choose the holder role and post the verify panel (Manage Server)',
    isForManagers: true,
    options: [
      {
        type: ApplicationCommandOptionType.Role,
        name: 'role',
        description: 'The role that verified holders get',
        required: true,
      },
      {
        type: ApplicationCommandOptionType.Channel,
        name: 'channel',
        description: 'Where the verify panel stands',
        required: true,
        channel_types: [...panelChannelTypes],
      },
    ],
    answer: setUp,
  },
  {
    name: 'stats',
    description: 'How many members are verified here, and when they were last checked',
    answer: showStats,
  },
  {
    name: 'help',
    description: 'What this bot does and what it keeps',
    answer: (_asked, { publicUrl }) => ({ content: helpText(publicUrl, commands) }),
  },
];
