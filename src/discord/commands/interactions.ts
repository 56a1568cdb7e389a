import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Client,
  Events,
  type Interaction,
  InteractionContextType,
  MessageFlags,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';

import type { BotWork } from '../bot.ts';
import { answer, type Answer, type AnswerForm, type MemberInteraction, type BotDeps } from './command.ts';
import { commands, verifyCommand } from './commands.ts';
import { onlyInServersText, unknownButtonText, unknownCommandText } from '../bot-texts.ts';
import { askDeletion, deleteData, keepData, setPayoutMessages, unlinkWallet } from './wallets-command.ts';

/** As registered with Discord: only in servers, and /setup only for members who may manage the server. */
const wantedCommands = commands.map(({ name, description, options = [], isForManagers = false }) => ({
  type: ApplicationCommandType.ChatInput,
  name,
  description,
  options,
  default_member_permissions: isForManagers ? PermissionFlagsBits.ManageGuild.toString() : null,
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
}));

/**
 * Rulings R5: registered at start. Existing commands do not count towards the daily limit of creations (documentation, 'Bulk Overwrite
 * Global Application Commands'). Throws Discord's refusal.
 */
export async function registerCommands({ rest, application }: Client<true>): Promise<void> {
  await rest.put(Routes.applicationCommands(application.id), { body: wantedCommands });
}

/** Commands and buttons, each answered only to the member who asked. */
export function addInteractions(client: Client, deps: BotDeps): BotWork {
  const running = new Set<Promise<void>>();
  let isStopped = false;
  client.on(Events.InteractionCreate, (interaction) => {
    if (isStopped) return;
    const work = handle(interaction, deps)
      // discord.js passes on malformed events, such as a button without an id: an uncaught error would end the process.
      .catch((error: unknown) => deps.log.warn({ err: error }, 'An interaction from Discord could not be read'))
      .finally(() => running.delete(work));
    running.add(work);
  });
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Throws only if an interaction differs from Discord's documentation. */
async function handle(interaction: Interaction, deps: BotDeps): Promise<void> {
  if (!interaction.isChatInputCommand() && !interaction.isButton()) return;
  if (!interaction.inCachedGuild()) return sayWhere(interaction, deps);
  if (interaction.isButton()) return press(interaction, deps);
  const command = commands.find(({ name }) => name === interaction.commandName);
  return answer(interaction, 'reply', deps.log, async () =>
    command === undefined ? { content: unknownCommandText } : command.answer(interaction, deps),
  );
}

async function sayWhere(interaction: ChatInputCommandInteraction | ButtonInteraction, { log }: BotDeps): Promise<void> {
  await interaction
    .reply({ content: onlyInServersText, flags: MessageFlags.Ephemeral })
    .catch((error: unknown) => log.info({ err: error }, 'An answer could not be sent'));
}

interface Button {
  /** 'reply' for the panel's button, so that the panel stays as it is for everyone. */
  readonly form: AnswerForm;
  readonly answer: (interaction: MemberInteraction, deps: BotDeps, about: string) => Promise<Answer> | Answer;
}

/** By the part of their ids before the ':'; after it there may be the subject: a wallet, or on and off. */
const buttons: ReadonlyMap<string, Button> = new Map<string, Button>([
  ['verify', { form: 'reply', answer: verifyCommand.answer }],
  ['unlink', { form: 'update', answer: unlinkWallet }],
  ['payout-messages', { form: 'update', answer: setPayoutMessages }],
  ['ask-deletion', { form: 'update', answer: askDeletion }],
  ['delete', { form: 'update', answer: deleteData }],
  ['keep', { form: 'update', answer: keepData }],
]);
const unknownButton: Button = { form: 'reply', answer: () => ({ content: unknownButtonText }) };

function press(interaction: ButtonInteraction<'cached'>, deps: BotDeps): Promise<void> {
  const [name = '', about = ''] = interaction.customId.split(':');
  const pressed = buttons.get(name) ?? unknownButton;
  return answer(interaction, pressed.form, deps.log, async () => pressed.answer(interaction, deps, about));
}
