import { usualBotPermissions } from '../discord/permissions.ts';
import { may } from '../discord/finding.ts';
import type { PermissionName } from '../discord/permissions.ts';
import { order } from './discord-people.ts';
import type { DiscordView } from './discord-view.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

/** Permissions that the bot needs. */
const switched: readonly PermissionName[] = ['MANAGE_ROLES', 'VIEW_CHANNEL', 'SEND_MESSAGES'];

/** What an owner can do to the bot, and faults of Discord. */
export function discordSwitches(view: DiscordView): Html {
  return html`<div class="changes">
    ${botSwitches(view)} ${guildSwitches(view)} ${gatewaySwitches(view)}
    ${order('discord/reset', {}, 'Reset all servers', 'Reset all servers', 'break')}
  </div>`;
}

function botSwitches({ discord, guild }: DiscordView): Html {
  const { id: guildId } = guild;
  const bot = guild.members.get(discord.bot.id);
  if (!guild.hasBot || !bot) return order('discord/join-guild', { guildId }, 'Invite the bot');
  const has = [...new Set([...usualBotPermissions, ...switched])].filter((name) => may(guild, bot, [name]));
  const toggle = (name: PermissionName): Html => {
    const isOn = has.includes(name);
    const permissions = isOn ? has.filter((each) => each !== name) : [...has, name];
    const words = `${isOn ? 'Take' : 'Give'} ${name.toLowerCase().replaceAll('_', ' ')}`;
    return order('discord/set-bot-permissions', { guildId, permissions }, words, words, isOn ? '' : 'mend');
  };
  return html`${order('discord/kick-bot', { guildId }, 'Kick the bot', 'Kick the bot', 'break')}
    <div class="row" role="group" aria-label="Permissions of the bot">${switched.map(toggle)}</div>`;
}

function guildSwitches({ guild, channel }: DiscordView): Html {
  const { id: guildId, isAvailable } = guild;
  return html`${
    isAvailable
      ? order('discord/set-available', { guildId, isAvailable: false }, 'Start an outage of this server')
      : order('discord/set-available', { guildId, isAvailable: true }, 'End the outage of this server')
  }
  ${channel && order('discord/delete-channel', { channelId: channel.id }, `Delete #${channel.name}`, undefined, 'break')}`;
}

function gatewaySwitches({ discord }: DiscordView): Html {
  const { isUp, connections } = discord.gateway();
  return html`<p class="quiet">Gateway: ${isUp ? `${connections.length} connected` : 'down'}</p>
    <div class="row" role="group" aria-label="Gateway">
      ${order('discord/drop-connections', {}, 'Drop the connection')}
      ${order('discord/drop-connections', { isResumable: false }, 'Drop the session')}
      ${order('discord/ask-to-reconnect', {}, 'Ask to reconnect')}
      ${
        isUp
          ? order('discord/set-gateway', { isUp: false }, 'Gateway down', undefined, 'break')
          : order('discord/set-gateway', { isUp: true }, 'Gateway up', undefined, 'mend')
      }
    </div>`;
}

/** Forms with text fields, which must not be redrawn while someone types. */
export function newThings({ guild }: DiscordView): Html {
  const form = (command: string, label: string): Html =>
    html`<form data-command="discord/${command}" class="row">
      <input type="hidden" name="guildId" value="${guild.id}" />
      <label>${label} <input name="name" data-clear required maxlength="100" autocomplete="off" /></label>
      <button>Create</button>
    </form>`;
  return html`${form('create-channel', 'New channel')} ${form('create-role', 'New role')}`;
}
