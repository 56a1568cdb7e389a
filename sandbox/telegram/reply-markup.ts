import type { Parameters } from './parameters.ts';
import { isRecord, jsonOf } from './parameters.ts';
import type { InlineButton, InlineKeyboard } from './wire.ts';
import { badRequest } from './wire.ts';
import { linkOf } from './html-entities.ts';

export type ReplyMarkup = { inline: InlineKeyboard | null; other: Record<string, unknown> | null };

const longestCallbackBytes = 64;
const mostButtons = 100;
const actions = ['callback_data', 'url', 'web_app', 'login_url', 'switch_inline_query', 'copy_text', 'pay'];

/** Reads `reply_markup`; `inlineOnly` for methods that accept nothing else. */
export function readReplyMarkup(parameters: Parameters, inlineOnly = false): ReplyMarkup {
  const given = jsonOf(parameters, 'reply_markup', "can't parse reply keyboard markup JSON object");
  if (given === undefined) return { inline: null, other: null };
  if (!isRecord(given)) throw badRequest('object expected as reply markup');
  if (given.inline_keyboard === undefined) {
    if (inlineOnly && Object.keys(given).length > 0) throw badRequest('inline keyboard expected');
    return { inline: null, other: Object.keys(given).length > 0 ? given : null };
  }
  const rows = given.inline_keyboard;
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) {
    throw badRequest('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays');
  }
  const keyboard = rows.map((row) => row.map(readButton)).filter((row) => row.length > 0);
  if (keyboard.flat().length > mostButtons) throw badRequest('reply markup is too long');
  return { inline: keyboard.length > 0 ? { inline_keyboard: keyboard } : null, other: null };
}

function readButton(given: unknown): InlineButton {
  if (!isRecord(given)) throw badRequest("can't parse inline keyboard button: InlineKeyboardButton must be an Object");
  if (typeof given.text !== 'string') throw badRequest('can\'t parse inline keyboard button: Can\'t find field "text"');
  const button: InlineButton = { ...given, text: given.text };
  if (given.text.trim() === '') throw badRequest('BUTTON_TEXT_INVALID');
  if (!actions.some((action) => given[action] !== undefined)) {
    throw badRequest('text buttons are unallowed in the inline keyboard');
  }
  const { callback_data: data, url } = given;
  if (data !== undefined) {
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 0;
    if (bytes > longestCallbackBytes || bytes === 0) throw badRequest('BUTTON_DATA_INVALID');
  }
  if (url !== undefined && (typeof url !== 'string' || linkOf(url) === null)) {
    throw badRequest(`inline keyboard button URL '${JSON.stringify(url).slice(1, -1)}' is invalid: Wrong HTTP URL`);
  }
  return button;
}
