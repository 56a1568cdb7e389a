import { z } from 'zod';
import { Impossible } from '../world/state.ts';
import { fillOptions } from './command-options.ts';
import type { DiscordServer } from './discord-server.ts';
import type { Interaction, Json, StoredMessage } from './discord-state.ts';
import { findUser } from './finding.ts';
import { begin, placeOf } from './interaction-events.ts';
import { messageWire } from './messages.ts';

const component = z.looseObject({
  type: z.int(),
  custom_id: z.string().optional(),
  label: z.string().nullish(),
  disabled: z.boolean().nullish(),
  url: z.string().nullish(),
  min_values: z.int().nullish(),
  max_values: z.int().nullish(),
  options: z.array(z.looseObject({ value: z.string() })).nullish(),
});
type Component = z.infer<typeof component>;

/** The message, if this person can see it. */
function visible(server: DiscordServer, userId: string, messageId: string): StoredMessage {
  findUser(server, userId);
  for (const { id, messages } of [...server.state.channels.values(), ...server.state.directChannels.values()]) {
    const found = messages.find((each) => each.id === messageId);
    if (!found) continue;
    placeOf(server, userId, id);
    if (found.ephemeralFor === null || found.ephemeralFor === userId) return found;
  }
  throw new Impossible(`${userId} cannot see message ${messageId}`);
}

function componentsOf(message: StoredMessage): Component[] {
  const walk = (each: Json): Json[] => [
    each,
    ...[each['components']].flat().flatMap((inner) => (inner === undefined ? [] : walk(inner as Json))),
    ...(each['accessory'] === undefined ? [] : [each['accessory'] as Json]),
  ];
  return message.components.flatMap(walk).map((each) => component.parse(each));
}

export function press(server: DiscordServer, wanted: { userId: string; messageId: string; button: string }) {
  const message = visible(server, wanted.userId, wanted.messageId);
  const buttons = componentsOf(message).filter(({ type }) => type === 2);
  const found =
    buttons.find(({ custom_id }) => custom_id === wanted.button) ??
    buttons.find(({ label }) => label === wanted.button);
  const customId = found?.custom_id;
  if (!found) throw new Impossible(`There is no button ${wanted.button}`);
  if (customId === undefined) throw new Impossible(`${wanted.button} is a link to ${String(found.url)}`);
  if (found.disabled) throw new Impossible(`${wanted.button} is disabled`);
  return beginComponent(server, wanted.userId, message, 'button', { custom_id: customId, component_type: 2 });
}

type Selected = { userId: string; messageId: string; customId: string; values: readonly string[] };

export function select(server: DiscordServer, { userId, messageId, customId, values }: Selected): Interaction {
  const message = visible(server, userId, messageId);
  const menu = componentsOf(message).find(({ type, custom_id }) => type >= 3 && custom_id === customId);
  if (!menu || menu.disabled) throw new Impossible(`There is no menu ${customId} to choose from`);
  if (values.length < (menu.min_values ?? 1) || values.length > (menu.max_values ?? 1)) {
    throw new Impossible('Too many or too few values');
  }
  const unknown = values.find((value) => menu.type === 3 && !menu.options?.some((option) => option.value === value));
  if (unknown !== undefined) throw new Impossible(`There is no choice ${unknown}`);
  const guild = server.state.guilds.get(message.guildId ?? '') ?? null;
  const asOption: Readonly<Record<number, number>> = { 5: 6, 6: 8, 7: 9, 8: 7 };
  const type = asOption[menu.type];
  const all = values.map((_, index) => ({ type: type ?? 3, name: String(index) }));
  const { resolved } = fillOptions(server, guild, all, Object.fromEntries(values.entries()));
  const data = { custom_id: customId, component_type: menu.type, values: [...values], resolved };
  return beginComponent(server, userId, message, 'select', data);
}

function beginComponent(
  server: DiscordServer,
  userId: string,
  message: StoredMessage,
  kind: 'button' | 'select',
  data: Json & { custom_id: string },
): Interaction {
  const guild = server.state.guilds.get(message.guildId ?? '');
  if (guild && !guild.hasBot) throw new Impossible(`The bot is not in ${guild.name}`);
  return begin(server, {
    kind,
    userId,
    channelId: message.channelId,
    name: data.custom_id,
    messageId: message.id,
    data: { id: 0, ...data },
    message: messageWire(server, message),
  });
}

type Submitted = { interactionId: string; values: Readonly<Record<string, string>> };

/** Sends the form back with a value in each of its inputs. */
export function submitModal(server: DiscordServer, { interactionId, values }: Submitted): Interaction {
  const asked = server.state.interactions.get(interactionId);
  if (!asked?.modal) throw new Impossible(`${interactionId} was not answered with a form`);
  const fill = (each: Json): Json => {
    const inner = each['components'];
    const customId = each['custom_id'];
    const labelled = each['component'];
    return {
      type: each['type'],
      id: each['id'] ?? 0,
      ...(typeof customId === 'string' && { custom_id: customId, value: values[customId] ?? '' }),
      ...(Array.isArray(inner) && { components: (inner as Json[]).map(fill) }),
      ...(labelled !== undefined && { component: fill(labelled as Json) }),
    };
  };
  const { customId, components } = asked.modal;
  const message = asked.messageId === null ? null : visible(server, asked.userId, asked.messageId);
  return begin(server, {
    kind: 'modal',
    userId: asked.userId,
    channelId: asked.channelId,
    name: customId,
    messageId: asked.messageId,
    triggeredBy: asked.id,
    data: { custom_id: customId, components: components.map(fill) },
    ...(message && { message: messageWire(server, message) }),
  });
}
