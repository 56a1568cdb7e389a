import { foreignText } from '../../../shared/foreign-text.ts';
import { counted } from '../../../ui/decimal-text.ts';
import type { DiscordGuild } from './discord-answers.ts';

/** Untrusted names (rulings R3), safe to print: one line, no direction tricks, cut. */
export const shownServer = ({ name }: Pick<DiscordGuild, 'name'>): string => foreignText(name, 60);

/** Specification 3 and rulings R5: configured is what has an NFT contract. */
export const isConfigured = ({ config }: Pick<DiscordGuild, 'config'>): boolean =>
  config !== null && config.nftContract !== '';

export interface NamedPlace {
  readonly text: string;
  /** It was chosen and is gone, or the bot cannot use it. */
  readonly inTrouble: boolean;
}

/** The role by name; 'deleted' said when it is gone (rulings R5). */
export function roleInWords({ config, roles }: Pick<DiscordGuild, 'config' | 'roles'>): NamedPlace {
  if (config === null || config.roleId === '') {
    return { text: 'None yet. Use /setup in the server to choose one.', inTrouble: config !== null };
  }
  if (roles === null) return { text: `ID ${config.roleId}`, inTrouble: false };
  const role = roles.find(({ id }) => id === config.roleId);
  if (role === undefined) return { text: `Deleted (ID ${config.roleId})`, inTrouble: true };
  const name = foreignText(role.name, 100);
  return role.canBeGiven !== false
    ? { text: name, inTrouble: false }
    : { text: `${name} (the bot cannot give it)`, inTrouble: true };
}

export function channelInWords({ config, channels }: Pick<DiscordGuild, 'config' | 'channels'>): NamedPlace {
  const channelId = config?.channelId;
  if (channelId === undefined || channelId === null || channelId === '') {
    return { text: 'None yet. Use /setup in the server to choose one.', inTrouble: false };
  }
  if (channels === null) return { text: `ID ${channelId}`, inTrouble: false };
  const channel = channels.find(({ id }) => id === channelId);
  if (channel === undefined) return { text: `Deleted (ID ${channelId})`, inTrouble: true };
  const name = `#${foreignText(channel.name, 100)}`;
  return channel.canPost !== false
    ? { text: name, inTrouble: false }
    : { text: `${name} (the bot cannot post there)`, inTrouble: true };
}

/** '45 min', '36 h'; said of the time between the direct message and the removal. */
export function graceInWords(graceMinutes: number): string {
  if (graceMinutes === 0) return 'None: the role ends with the second check';
  const [days, hours, minutes] = [
    Math.floor(graceMinutes / 1_440),
    Math.floor((graceMinutes % 1_440) / 60),
    graceMinutes % 60,
  ];
  return [
    days === 0 ? [] : counted(days, 'day'),
    hours === 0 ? [] : counted(hours, 'hour'),
    minutes === 0 ? [] : counted(minutes, 'minute'),
  ]
    .flat()
    .join(' ');
}
