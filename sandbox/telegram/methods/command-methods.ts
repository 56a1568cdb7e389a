import { chatForBot } from '../membership.ts';
import type { Parameters } from '../parameters.ts';
import { isRecord, jsonOf, textOf } from '../parameters.ts';
import type { BotCommand, TelegramState } from '../telegram-state.ts';
import type { Method } from '../telegram-server.ts';
import { badRequest } from '../wire.ts';

const wholeScopes = ['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators'];
const chatScopes = ['chat', 'chat_administrators', 'chat_member'];
const mostCommands = 100;
const longestDescription = 512;
const longestShortDescription = 120;

/** Scope and language combined into the key of the stored commands. */
function scopeKey(state: TelegramState, parameters: Parameters): string {
  const given = jsonOf(parameters, 'scope', "can't parse BotCommandScope JSON object") ?? { type: 'default' };
  if (!isRecord(given)) throw badRequest("can't parse BotCommandScope: BotCommandScope must be an Object");
  const type = String(given.type);
  const language = textOf(parameters, 'language_code');
  if (language !== '' && !/^[a-z]{2}$/.test(language)) throw badRequest('invalid language code specified');
  if (wholeScopes.includes(type)) return `${type}/${language}`;
  if (!chatScopes.includes(type)) throw badRequest("can't parse BotCommandScope: unsupported type specified");
  const chat = chatForBot(state, String(given.chat_id));
  return `${type}:${chat.id}${type === 'chat_member' ? `:${String(given.user_id)}` : ''}/${language}`;
}

function readCommand(given: unknown): BotCommand {
  if (!isRecord(given) || typeof given.command !== 'string' || typeof given.description !== 'string') {
    throw badRequest("can't parse BotCommand: BotCommand must be an Object");
  }
  const command = given.command.replace(/^\//, '');
  const description = given.description.trim();
  if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
  if (description.length < 1 || description.length > 256) throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
  return { command, description };
}

export const setMyCommands: Method = ({ state }, parameters) => {
  const given = jsonOf(parameters, 'commands', "can't parse commands JSON object");
  if (!Array.isArray(given)) throw badRequest("can't parse commands: expected an Array of BotCommand");
  if (given.length > mostCommands) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  const key = scopeKey(state, parameters);
  const commands = given.map(readCommand);
  if (commands.length === 0) state.commands.delete(key);
  else state.commands.set(key, commands);
  return true;
};

export const getMyCommands: Method = ({ state }, parameters) => state.commands.get(scopeKey(state, parameters)) ?? [];

export const deleteMyCommands: Method = ({ state }, parameters) => {
  state.commands.delete(scopeKey(state, parameters));
  return true;
};

export const setMyDescription: Method = ({ state }, parameters) => {
  const description = textOf(parameters, 'description');
  if (description.length > longestDescription) throw badRequest('BOT_DESCRIPTION_INVALID');
  state.description = description;
  return true;
};

export const setMyShortDescription: Method = ({ state }, parameters) => {
  const description = textOf(parameters, 'short_description');
  if (description.length > longestShortDescription) throw badRequest('BOT_SHORT_DESCRIPTION_INVALID');
  state.shortDescription = description;
  return true;
};

export const getMyDescription: Method = ({ state }) => ({ description: state.description });

export const getMyShortDescription: Method = ({ state }) => ({ short_description: state.shortDescription });
