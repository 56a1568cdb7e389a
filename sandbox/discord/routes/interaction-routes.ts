import { z } from 'zod';
import type { DiscordServer } from '../discord-server.ts';
import type { Interaction, Json, StoredMessage } from '../discord-state.ts';
import { findMessages } from '../finding.ts';
import { ageMs } from '../interaction-events.ts';
import { ephemeralFlag, readMessage } from '../message-form.ts';
import { edit, messageWire, post } from '../messages.ts';
import { invalidForm, refusal } from '../refusal.ts';
import type { Call, Reply, Route } from './route.ts';
import { done, ok, readBody } from './route.ts';

const callback = z.object({ type: z.int(), data: z.looseObject({ flags: z.int().nullish() }).nullish() });
const modal = z.object({
  custom_id: z.string().min(1).max(100),
  title: z.string().min(1).max(45),
  components: z
    .array(z.looseObject({ type: z.int() }))
    .min(1)
    .max(5),
});

/** The single callback that an interaction needs within three seconds. */
export const callbackRoute: Route = {
  method: 'POST',
  path: '/interactions/{interaction_id}/{interaction_token}/callback',
  access: 'token',
  bucket: 'other',
  run: (server, call) => {
    const interaction = server.state.interactions.get(call.params['interaction_id'] ?? '');
    if (interaction?.token !== call.params['interaction_token'] || interaction === undefined) {
      throw refusal('unknownInteraction');
    }
    const { type, data } = readBody(callback, call.body);
    if (interaction.state === 'failed') throw refusal('unknownInteraction');
    if (interaction.state !== 'waiting') throw refusal('alreadyAcknowledged');
    const afterMs = ageMs(interaction);
    if (afterMs > server.settings.interactionDeadlineMs) throw refusal('unknownInteraction');
    answer(server, interaction, type, data ?? {});
    interaction.answeredAfterMs = afterMs;
    return call.query.get('with_response') === 'true' ? ok(withResponse(server, interaction, type)) : done;
  },
};

function answer(server: DiscordServer, interaction: Interaction, type: number, data: Json): void {
  const isOfComponent = interaction.messageId !== null;
  const flags = typeof data['flags'] === 'number' ? data['flags'] : 0;
  switch (type) {
    case 4: {
      const form = readMessage(data, { mayBeEmpty: false });
      keepOriginal(interaction, reply(server, interaction, form, false));
      interaction.state = 'answered';
      return;
    }
    case 5:
      keepOriginal(interaction, reply(server, interaction, { flags }, true));
      interaction.state = 'deferred';
      return;
    case 6:
    case 7:
      if (!isOfComponent) throw invalidType();
      interaction.originalMessageId = interaction.messageId;
      if (type === 7) edit(server, originalOf(server, interaction), readMessage(data, { mayBeEmpty: true }));
      interaction.state = type === 7 ? 'answered' : 'deferred';
      return;
    case 9: {
      if (interaction.kind === 'modal') throw invalidType();
      const { custom_id: customId, title, components } = readBody(modal, data);
      interaction.modal = { customId, title, components };
      interaction.state = 'modal';
      return;
    }
    default:
      throw invalidType();
  }
}

const invalidType = () =>
  invalidForm(['type'], 'BASE_TYPE_CHOICES', 'Value must be one of the callback types of this kind of interaction.');

function reply(
  server: DiscordServer,
  interaction: Interaction,
  form: ReturnType<typeof readMessage>,
  isLoading: boolean,
): StoredMessage {
  const isEphemeral = ((form.flags ?? 0) & ephemeralFlag) !== 0;
  const message = post(server, {
    channelId: interaction.channelId,
    authorId: server.bot.id,
    form,
    ephemeralFor: isEphemeral ? interaction.userId : null,
    isLoading,
    interactionId: interaction.id,
  });
  interaction.answers.push(message);
  return message;
}

function keepOriginal(interaction: Interaction, message: StoredMessage): void {
  interaction.originalMessageId = message.id;
}

function withResponse(server: DiscordServer, interaction: Interaction, type: number): Json {
  const original = interaction.originalMessageId === null ? null : originalOf(server, interaction);
  const wireType = { command: 2, button: 3, select: 3, modal: 5 }[interaction.kind];
  return {
    interaction: {
      id: interaction.id,
      type: wireType,
      channel_id: interaction.channelId,
      ...(interaction.guildId !== null && { guild_id: interaction.guildId }),
      ...(original && {
        response_message_id: original.id,
        response_message_loading: original.isLoading,
        response_message_ephemeral: original.ephemeralFor !== null,
      }),
    },
    // Only these two callback types return a message.
    ...(original && [4, 7].includes(type) && { resource: { type, message: messageWire(server, original) } }),
  };
}

/** The first answer, or for a component the message that it changed. */
export function originalOf(server: DiscordServer, interaction: Interaction): StoredMessage {
  const messages = findMessages(server, interaction.channelId) ?? [];
  const found = messages.find(({ id }) => id === interaction.originalMessageId);
  if (!found) throw refusal('unknownMessage');
  return found;
}

/** A further answer to an interaction. */
export function followUp(server: DiscordServer, interaction: Interaction, { body }: Call): Reply {
  const form = readMessage(body, { mayBeEmpty: false });
  const first = interaction.answers.find(({ isLoading }) => isLoading);
  // The first follow-up to a deferred answer replaces its placeholder, whatever the call says.
  if (first) edit(server, first, form);
  if (interaction.state === 'deferred') interaction.state = 'answered';
  return ok(messageWire(server, first ?? reply(server, interaction, form, false)));
}
