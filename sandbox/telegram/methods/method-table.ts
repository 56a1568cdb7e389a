import type { Method } from '../telegram-server.ts';
import { getChat, getChatAdministrators, getChatMember, getChatMemberCount, leaveChat } from './chat-methods.ts';
import {
  deleteMyCommands,
  getMyCommands,
  getMyDescription,
  getMyShortDescription,
  setMyCommands,
  setMyDescription,
  setMyShortDescription,
} from './command-methods.ts';
import {
  answerCallbackQuery,
  deleteMessage,
  editMessageCaption,
  editMessageReplyMarkup,
  editMessageText,
} from './edit-methods.ts';
import { getFile } from './file-methods.ts';
import { sendChatAction, sendMessage, sendPhoto } from './send-methods.ts';
import { deleteWebhook, getMe, getUpdates, getWebhookInfo, setWebhook } from './update-methods.ts';

/** All supported methods; any other answers 404, like a method that does not exist. */
const methods: Readonly<Record<string, Method>> = {
  getMe,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendPhoto,
  sendChatAction,
  editMessageText,
  editMessageCaption,
  editMessageReplyMarkup,
  deleteMessage,
  answerCallbackQuery,
  getChat,
  getChatMember,
  getChatAdministrators,
  getChatMemberCount,
  leaveChat,
  getFile,
  setMyCommands,
  getMyCommands,
  deleteMyCommands,
  setMyDescription,
  setMyShortDescription,
  getMyDescription,
  getMyShortDescription,
};

const byLowerCase = new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), { name, method }]));

/** Method names are case-insensitive. */
export function findMethod(name: string): { name: string; method: Method } | null {
  return byLowerCase.get(name.toLowerCase()) ?? null;
}

export const methodNames: readonly string[] = Object.keys(methods);
