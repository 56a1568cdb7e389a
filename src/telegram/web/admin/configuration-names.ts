import { foreignText } from '../../../shared/foreign-text.ts';
import type { TelegramConfiguration } from './telegram-answers.ts';

/** Untrusted names (rulings R3), fit to print: one line, no direction tricks, cut. */
export const shownCollection = ({ collectionName }: Pick<TelegramConfiguration, 'collectionName'>): string =>
  foreignText(collectionName, 60);

/** A chat without a title is named by its id. */
export const shownChat = ({ chatTitle, chatId }: Pick<TelegramConfiguration, 'chatTitle' | 'chatId'>): string =>
  chatTitle.trim() === '' ? `chat ${chatId}` : foreignText(chatTitle, 60);
