import {
  ActionRowBuilder,
  type APIApplicationCommandBasicOption,
  ButtonBuilder,
  type ButtonInteraction,
  type ButtonStyle,
  type ChatInputCommandInteraction,
  DiscordAPIError,
  MessageFlags,
  RESTJSONErrorCodes,
} from 'discord.js';

import { databaseOutage } from '../../db/outage.ts';
import { cleanText } from '../../shared/foreign-text.ts';
import { Invalid, Refused, Unavailable } from '../../shared/failure.ts';
import type { AskingDeps } from '../roles/explain-member.ts';
import type { RolesDeps } from '../roles/role-jobs.ts';
import type { Configuring } from '../servers/configuring.ts';
import type { GuildRegister } from '../servers/guild-register.ts';
import type { GuildStore } from '../servers/guild-store.ts';
import type { Verification } from '../verify/verification.ts';
import { brokenText, unavailableText } from '../bot-texts.ts';
import type { Log } from '../../process/logger.ts';

/** One slash command: what is registered with Discord, listed by /help and answered. */
export interface Command {
  readonly name: string;
  /** In Discord's list and in /help; at most 100 characters. */
  readonly description: string;
  /** Offered to members who may manage the server; `answer` checks that again. */
  readonly isForManagers?: boolean;
  readonly options?: readonly APIApplicationCommandBasicOption[];
  readonly answer: (interaction: MemberInteraction, deps: BotDeps) => Promise<Answer> | Answer;
}

export interface BotDeps extends AskingDeps, Pick<RolesDeps, 'audit'> {
  readonly register: Pick<GuildRegister, 'save'>;
  readonly guilds: Pick<GuildStore, 'read'>;
  readonly configuring: Pick<Configuring, 'setUp'>;
  readonly links: Pick<Verification, 'makeLink'>;
  readonly publicUrl: string;
  readonly log: Log;
}

/** Seen by one person only. Without components an edited message loses those it had. */
export interface Answer {
  readonly content: string;
  readonly components?: readonly ActionRowBuilder<ButtonBuilder>[];
}

export type MemberInteraction = ChatInputCommandInteraction<'cached'> | ButtonInteraction<'cached'>;

export const buttonRow = (...buttons: readonly ButtonBuilder[]) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(...buttons);

/** A button's id carries all of its meaning (interactions.ts), so that it works after a restart and in any copy. */
export const button = (customId: string, label: string, style: Exclude<ButtonStyle, ButtonStyle.Link>) =>
  new ButtonBuilder().setCustomId(customId).setLabel(label).setStyle(style);

/** `update`: replaces the message with the button. Both are seen only by the member who asked. */
export type AnswerForm = 'reply' | 'update';

const displayNameMax = 100;

/** A name as it is stored and shown: cleaned, or the user id if nothing is left of it. */
export const storedName = (name: string, userId: string): string => cleanText(name, displayNameMax) || userId;

export const displayNameOf = ({ member, user }: MemberInteraction): string => storedName(member.displayName, user.id);

export const actorOf = (interaction: MemberInteraction) =>
  ({ kind: 'discord', userId: interaction.user.id, name: displayNameOf(interaction) }) as const;

/**
 * Acknowledges at once, as Discord waits only three seconds, then sends the answer. Never throws: failures are answered with a
 * sentence, and an answer that comes too late is logged.
 */
export async function answer(interaction: MemberInteraction, form: AnswerForm, log: Log, work: () => Promise<Answer>) {
  try {
    if (form === 'update' && interaction.isButton()) await interaction.deferUpdate();
    else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const { content, components = [] } = await work().catch((error: unknown): Answer => ({
      content: failureText(error, log),
    }));
    await interaction.editReply({ content, components: [...components] });
  } catch (error) {
    // 10062: not acknowledged within three seconds; 10015 and 50027: the 15 minutes for the answer are over; 40060: another copy was
    // quicker.
    const isLate = error instanceof DiscordAPIError && lateCodes.has(error.code);
    if (isLate) log.info({ err: error }, 'An answer came too late for Discord');
    else log.warn({ err: error }, 'An answer could not be sent');
  }
}

const lateCodes = new Set<string | number>([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
]);

function failureText(error: unknown, log: Log): string {
  if (error instanceof Refused || error instanceof Invalid) return error.message;
  const isOfDatabase = error instanceof Unavailable && error.reason === 'database-unavailable';
  if (error instanceof Unavailable && !isOfDatabase) return unavailableText;
  if (isOfDatabase || databaseOutage(error) !== null)
    log.warn({ err: error }, 'A member could not be answered: the database did not answer');
  else log.error({ err: error }, 'Answering a member failed');
  return brokenText;
}
