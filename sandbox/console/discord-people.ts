import type { Guild, Member, Role } from '../discord/discord-state.ts';
import type { DiscordView } from './discord-view.ts';
import { memberName, nameOfUser, panelPlace, placeUrl } from './discord-view.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const shownPeople = 24;

/** Everyone with their roles; a click on a name acts as them. People outside the server come last. */
export function peopleList(view: DiscordView): Html {
  const { discord, guild } = view;
  const members = [...guild.members.values()];
  const outside = discord.users().filter(({ id, isBot }) => !isBot && !guild.members.has(id));
  return html`<ul class="people">
    ${members.slice(0, shownPeople).map((member) => memberItem(view, member))}
    ${members.length > shownPeople && html`<li class="quiet">and ${members.length - shownPeople} more members</li>`}
    ${outside
      .slice(0, shownPeople)
      .map(
        (user) =>
          html`<li class="quiet">
            ${nameOfUser(user)} is not a member
            ${order('discord/add-member', { guildId: guild.id, userId: user.id }, 'Join', `Let ${nameOfUser(user)} join`)}
          </li>`,
      )}
  </ul>`;
}

function memberItem(view: DiscordView, member: Member): Html {
  const { discord, guild, person } = view;
  const user = discord.user(member.userId);
  const name = memberName(view, user.id);
  const ids = { guildId: guild.id, userId: user.id };
  if (user.isBot) return html`<li><b>${name}</b> ${badges(guild, member)}</li>`;
  return html`<li>
    <a
      href="${placeUrl(view, { as: user.id, ...panelPlace(view) })}"
      ${user.id === person.id ? html`aria-current="true"` : null}
      ><b>${name}</b></a
    >
    ${guild.ownerId === user.id && html`<small>owner</small>`} ${badges(guild, member)}
    <div class="row">
      ${
        user.hasClosedDms
          ? order('discord/set-dms', { userId: user.id, isClosed: false }, 'Open DMs', `Open DMs of ${name}`)
          : order('discord/set-dms', { userId: user.id, isClosed: true }, 'Close DMs', `Close DMs of ${name}`)
      }
      ${guild.ownerId !== user.id && order('discord/remove-member', ids, 'Leave', `Let ${name} leave`)}
    </div>
  </li>`;
}

function badges(guild: Guild, member: Member): Html[] {
  const roles = member.roleIds.flatMap((id) => guild.roles.get(id) ?? []);
  return roles
    .toSorted((one, other) => other.position - one.position)
    .map(({ name }) => html`<span class="badge">${name}</span> `);
}

/** The server's roles, highest first, and what an admin may do to them. */
export function roleList(view: DiscordView): Html {
  const roles = [...view.guild.roles.values()].filter(({ id }) => id !== view.guild.id);
  return html`<ol class="roles">
    ${roles
      .toSorted((one, other) => other.position - one.position)
      .map((role, index) => roleItem(view.guild, role, index === 0))}
  </ol>`;
}

function roleItem(guild: Guild, { id: roleId, name, position, isManaged }: Role, isHighest: boolean): Html {
  const ids = { guildId: guild.id, roleId };
  return html`<li>
    <span class="badge">${name}</span>
    <div class="row">
      ${!isHighest && order('discord/move-role', { ...ids, position: position + 1 }, 'Up', `Move ${name} up`)}
      ${position > 1 && order('discord/move-role', { ...ids, position: position - 1 }, 'Down', `Move ${name} down`)}
      ${!isManaged && order('discord/delete-role', ids, 'Delete', `Delete the role ${name}`, 'break')}
    </div>
  </li>`;
}

/** A button that runs one command. `label`: its accessible name where the visible text says too little. */
export function order(
  command: string,
  body: Readonly<Record<string, unknown>>,
  words: string,
  label = words,
  kind = '',
): Html {
  return html`<form data-command="${command}">
    <input type="hidden" name="order" data-merge value="${JSON.stringify(body)}" />
    <button class="${kind}" ${label === words ? null : html`aria-label="${label}"`}>${words}</button>
  </form>`;
}
