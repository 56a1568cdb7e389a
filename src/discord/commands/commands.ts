import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  type Client,
  InteractionContextType,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import { z } from 'zod';

import type { Command } from './command.ts';
import { helpText } from './rules/bot-texts.ts';
import { setupCommand } from './setup-command.ts';
import { statsCommand } from './stats-command.ts';
import { verifyCommand } from './verify-command.ts';
import { walletsCommand } from './wallets-command.ts';
import { whyCommand } from './why-command.ts';

const helpCommand: Command = {
  name: 'help',
  description: 'What this bot does and what it keeps',
  answer: (_asked, { publicUrl }) => ({ content: helpText(publicUrl, commands) }),
};

/** The bot's commands (rulings R5), in the order of /help. A new one is a file and a line here. */
export const commands: readonly Command[] = [
  verifyCommand,
  walletsCommand,
  whyCommand,
  setupCommand,
  statsCommand,
  helpCommand,
];

/** As registered with Discord: in servers alone, /setup for those who may manage the server. */
const wantedCommands = commands.map(({ name, description, options = [], isForManagers = false }) => ({
  type: ApplicationCommandType.ChatInput,
  name,
  description,
  options,
  default_member_permissions: isForManagers ? PermissionFlagsBits.ManageGuild.toString() : null,
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
}));

const registeredOption = z.object({
  type: z.number(),
  name: z.string(),
  description: z.string(),
  required: z.boolean().default(false),
  channel_types: z.array(z.number()).optional(),
});
const registeredCommands = z.array(
  z.object({
    type: z.number().default(ApplicationCommandType.ChatInput),
    name: z.string(),
    description: z.string(),
    options: z.array(registeredOption).default([]),
    default_member_permissions: z.string().nullable().default(null),
    contexts: z.array(z.number()).nullish(),
    integration_types: z.array(z.number()).nullish(),
  }),
);

/** Rulings R5: registered at start; unchanged ones are left alone, since Discord counts changes. Throws the platform's refusal. */
export async function registerCommands({ rest, application }: Client<true>): Promise<void> {
  const route = Routes.applicationCommands(application.id);
  const known = registeredCommands.safeParse(await rest.get(route));
  if (known.success && isSame(known.data)) return;
  await rest.put(route, { body: wantedCommands });
}

const isSame = (known: z.infer<typeof registeredCommands>): boolean => {
  const byName = (left: { readonly name: string }, right: { readonly name: string }) =>
    left.name.localeCompare(right.name);
  const wanted = registeredCommands.parse(wantedCommands);
  return JSON.stringify([...known].sort(byName)) === JSON.stringify([...wanted].sort(byName));
};
