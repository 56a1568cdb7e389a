import { z } from 'zod';
import type { DiscordView } from './discord-view.ts';
import { memberName, textChannels } from './discord-view.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

/** Option types by their number in Discord's documentation, 'Application Command Option Type'. */
const kinds = { text: 3, whole: 4, boolean: 5, user: 6, channel: 7, role: 8, number: 10 } as const;

const commandShape = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  type: z.int().optional(),
  options: z
    .array(
      z.looseObject({
        type: z.int(),
        name: z.string(),
        description: z.string().optional(),
        required: z.boolean().optional(),
        choices: z.array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]) })).optional(),
      }),
    )
    .optional(),
});
type Command = z.infer<typeof commandShape>;
type Option = NonNullable<Command['options']>[number];

export function speakForm({ person, channel }: DiscordView): Html {
  return html`<form data-command="discord/say" class="speak">
    ${where(person.id, channel?.id)}
    <label class="words"
      >Message <input name="content" data-clear required autocomplete="off" maxlength="2000"
    /></label>
    <button>Send</button>
  </form>`;
}

export function commandForms(view: DiscordView): Html {
  const { discord, guild } = view;
  const registered = [...discord.commands(guild.id), ...discord.commands()];
  const slash = registered
    .flatMap((each) => commandShape.safeParse(each).data ?? [])
    .filter(({ type = 1 }) => type === 1);
  if (slash.length === 0) return html`<p class="quiet">The bot has registered no commands yet. Is it started?</p>`;
  return html`<div class="commands">${slash.map((command) => commandForm(view, command))}</div>`;
}

function where(userId: string, channelId: string | undefined): Html {
  return html`<input type="hidden" name="userId" value="${userId}" />
    ${channelId !== undefined && html`<input type="hidden" name="channelId" value="${channelId}" />`}`;
}

function commandForm(view: DiscordView, { name, description = '', options = [] }: Command): Html {
  return html`<form data-command="discord/command" title="${description}">
    ${where(view.person.id, view.channel?.id)}
    <input type="hidden" name="name" value="${name}" />
    <button>/${name}</button>
    ${options.map((option) => html`<label>${option.name} ${optionField(view, option)}</label>`)}
  </form>`;
}

function optionField(view: DiscordView, { type, name, required = false, choices = [] }: Option): Html {
  const found = choices.length > 0 ? choices.map((each) => [each.value, each.name] as const) : thingsOf(view, type);
  const need = required ? html`required` : null;
  if (found === null) {
    const isNumber = type === kinds.whole || type === kinds.number;
    return html`<input name="${name}" data-option ${isNumber ? html`data-number` : null} ${need} autocomplete="off" />`;
  }
  return html`<select name="${name}" data-option ${type === kinds.boolean ? html`data-boolean` : null} ${need}>
    ${!required && html`<option value="">(none)</option>`}
    ${found.map(([value, words]) => html`<option value="${value}">${words}</option>`)}
  </select>`;
}

type Choice = readonly [value: string | number, words: string];

/** The values to choose from; null for a typed value. */
function thingsOf(view: DiscordView, type: number): Choice[] | null {
  const { guild } = view;
  switch (type) {
    case kinds.role:
      return [...guild.roles.values()].map(({ id, name }) => [id, name]);
    case kinds.channel:
      return textChannels(guild).map(({ id, name }) => [id, `#${name}`]);
    case kinds.user:
      return [...guild.members.keys()].slice(0, 50).map((id) => [id, memberName(view, id)]);
    case kinds.boolean:
      return [
        ['true', 'yes'],
        ['false', 'no'],
      ];
    default:
      return null;
  }
}
