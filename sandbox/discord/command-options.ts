import { Impossible } from '../world/state.ts';
import type { DiscordServer } from './discord-server.ts';
import type { Channel, Guild, Json } from './discord-state.ts';
import { permissionsOf } from './finding.ts';
import { channelTypes, channelWire, memberWire, roleWire, userWire } from './wire.ts';

/** A slash command as it was registered. */
export type CommandOption = {
  type: number;
  name: string;
  required?: boolean;
  options?: CommandOption[];
  choices?: { name: string; value: string | number }[];
  channel_types?: number[];
  min_value?: number;
  max_value?: number;
  min_length?: number;
  max_length?: number;
};
export type OptionValue = string | number | boolean;
type Given = Readonly<Record<string, OptionValue>>;
type Resolved = Record<'users' | 'members' | 'roles' | 'channels', Json>;

/** Builds an interaction's options after the checks that Discord's own client makes before sending. */
export function fillOptions(
  server: DiscordServer,
  guild: Guild | null,
  options: readonly CommandOption[],
  given: Given,
): { options: Json[]; resolved: Json } {
  const unknown = Object.keys(given).find((name) => !options.some((option) => option.name === name));
  if (unknown !== undefined) throw new Impossible(`There is no option ${unknown}`);
  const resolved: Resolved = { users: {}, members: {}, roles: {}, channels: {} };
  const filled = options.flatMap((option) => {
    const value = given[option.name];
    if (value === undefined) {
      if (option.required) throw new Impossible(`The option ${option.name} is required`);
      return [];
    }
    checkValue(option, value);
    resolve(server, guild, option, String(value), resolved);
    return [{ name: option.name, type: option.type, value }];
  });
  return {
    options: filled,
    resolved: Object.fromEntries(Object.entries(resolved).filter(([, all]) => Object.keys(all).length)),
  };
}

const primitives: Readonly<Record<number, string>> = { 3: 'string', 4: 'number', 5: 'boolean', 10: 'number' };

function checkValue(option: CommandOption, value: OptionValue): void {
  const problem =
    typeof value === (primitives[option.type] ?? 'string')
      ? (problemOfChoice(option, value) ?? problemOfSize(option, value))
      : 'takes a different kind of value';
  if (problem !== null) throw new Impossible(`The option ${option.name} ${problem}`);
}

function problemOfChoice({ type, choices = [] }: CommandOption, value: OptionValue): string | null {
  if (type === 4 && !Number.isInteger(value)) return 'takes a whole number';
  const isOffered = choices.length === 0 || choices.some((choice) => choice.value === value);
  return isOffered ? null : 'has no such choice';
}

function problemOfSize(option: CommandOption, value: OptionValue): string | null {
  if (typeof value === 'number') {
    const { min_value: least = -Infinity, max_value: most = Infinity } = option;
    return value < least || value > most ? 'is out of range' : null;
  }
  if (option.type !== 3) return null;
  const { min_length: shortest = 0, max_length: longest = 6000 } = option;
  const { length } = String(value);
  return length < shortest || length > longest ? 'is too long or too short' : null;
}

function resolve(server: DiscordServer, guild: Guild | null, option: CommandOption, id: string, into: Resolved): void {
  const missing = (): never => {
    throw new Impossible(`The option ${option.name} names something that does not exist here: ${id}`);
  };
  const role = guild?.roles.get(id);
  switch (option.type) {
    case 6:
      return resolveUser(server, guild, id, into, missing);
    case 7:
      return resolveChannel(option, guild?.channels.get(id) ?? missing(), into);
    case 8:
      into.roles[id] = roleWire(role ?? missing());
      return;
    case 9:
      if (role) into.roles[id] = roleWire(role);
      else resolveUser(server, guild, id, into, missing);
      return;
    default:
  }
}

function resolveChannel(option: CommandOption, channel: Channel, into: Resolved): void {
  const { channel_types: allowed = [] } = option;
  if (allowed.length > 0 && !allowed.includes(channelTypes[channel.kind])) {
    throw new Impossible(`The option ${option.name} takes no ${channel.kind} channel`);
  }
  into.channels[channel.id] = { ...channelWire(channel), permissions: '0' };
}

function resolveUser(
  server: DiscordServer,
  guild: Guild | null,
  id: string,
  into: Resolved,
  missing: () => never,
): void {
  const user = server.state.users.get(id) ?? missing();
  into.users[id] = userWire(user);
  const member = guild?.members.get(id);
  if (!guild || !member) return;
  const { user: _, deaf: _deaf, mute: _mute, ...partial } = memberWire(member, user);
  into.members[id] = { ...partial, permissions: String(permissionsOf(guild, member)) };
}
