import type { TelegramControl } from '../telegram/telegram-control.ts';
import type { Chat, StoredMessage } from '../telegram/telegram-state.ts';
import type { InlineButton } from '../telegram/wire.ts';
import { formattedText } from './chat-text.ts';
import { clockOf } from './formats.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const shownMessages = 60;

type Place = { telegram: TelegramControl; chat: Chat; nowMs: number };

/** The newest messages of a chat, or of one topic of it. */
export function messageList(place: Place, threadId: number | null): Html {
  const messages = place.chat.messages
    .filter((message) => threadId === null || message.threadId === threadId)
    .slice(-shownMessages);
  if (messages.length === 0) return html`<p class="quiet">No messages yet.</p>`;
  return html`<ol class="messages">
    ${messages.map((message) => (message.service ? serviceItem(message, message.service) : messageItem(place, message, threadId)))}
  </ol>`;
}

function nameOf(telegram: TelegramControl, message: StoredMessage): string {
  const { from, senderChatId } = message;
  const sender = senderChatId === null ? undefined : telegram.chats().find(({ id }) => id === senderChatId);
  return sender?.title ?? [from.first_name, from.last_name].filter(Boolean).join(' ');
}

function messageItem(place: Place, message: StoredMessage, threadId: number | null): Html {
  const { telegram, chat, nowMs } = place;
  const isOwn = message.from.id === telegram.bot.id;
  const topic = message.threadId === null || threadId !== null ? undefined : chat.topics.get(message.threadId);
  const replied = chat.messages.find(({ messageId }) => messageId === message.replyToMessageId);
  const text = message.text ?? '';
  return html`
    <li class="${isOwn ? 'bubble bubble-bot' : 'bubble'}">
      <p class="sender">${nameOf(telegram, message)}${topic ? html`<small>${topic.name}</small>` : null}</p>
      ${replied ? html`<p class="replied">${(replied.text ?? '').slice(0, 80)}</p>` : null} ${picture(message)}
      ${text === '' ? null : html`<span class="said-text">${formattedText(text, message.entities)}</span>`}
      <p class="quiet figures">
        ${message.edits.length > 0 && 'edited · '}${message.isSilent && 'silent · '}${clockOf(message.atMs, nowMs)} ·
        ${replyButton(message)}
      </p>
      ${keyboard(chat, message)}
    </li>
  `;
}

/** When the bot asks for a reply, the next message becomes that reply, as on a phone. */
function replyButton({ messageId, otherMarkup }: StoredMessage): Html {
  const isAsked = otherMarkup?.force_reply === true;
  return html`<button type="button" class="reply" data-reply="${messageId}" ${isAsked ? html`data-asked` : null}>
    Reply to ${messageId}
  </button>`;
}

function picture({ photo, text }: StoredMessage): Html | null {
  const size = photo?.at(-1);
  if (!size) return null;
  const fileUniqueId = size.file_unique_id.slice(-14);
  const alt = (text ?? 'A picture').slice(0, 80);
  return html`<img src="/photo/${fileUniqueId}" width="${size.width}" height="${size.height}" alt="${alt}" />`;
}

function keyboard(chat: Chat, { messageId, replyMarkup }: StoredMessage): Html | null {
  if (!replyMarkup) return null;
  return html`<div class="keyboard">
    ${replyMarkup.inline_keyboard.map(
      (row, rowIndex) =>
        html`<div>${row.map((button, index) => buttonForm(chat.id, messageId, button, `${rowIndex},${index}`))}</div>`,
    )}
  </div>`;
}

function buttonForm(chatId: number, messageId: number, button: InlineButton, place: string): Html {
  const { url } = button;
  if (url !== undefined && /^https?:/i.test(url)) {
    return html`<a class="key" href="${url}" target="_blank" rel="noopener noreferrer">${button.text} ↗</a>`;
  }
  return html`<form data-command="telegram/press">
    <input type="hidden" name="chatId" data-number value="${chatId}" />
    <input type="hidden" name="messageId" data-number value="${messageId}" />
    <input type="hidden" name="button" value="${place}" />
    <input type="hidden" name="userId" data-presser value="0" />
    <button class="key">${button.text}</button>
  </form>`;
}

const happened: Readonly<Record<string, string>> = {
  new_chat_members: 'added the bot',
  left_chat_member: 'removed the bot',
  migrate_to_chat_id: 'made this group a supergroup',
  migrate_from_chat_id: 'moved the group to this supergroup',
  forum_topic_created: 'opened a topic',
  new_chat_title: 'changed the title',
  new_chat_photo: 'changed the picture',
  pinned_message: 'pinned a message',
};

function serviceItem({ from }: StoredMessage, service: Record<string, unknown>): Html {
  const key = Object.keys(service).find((name) => name in happened);
  return html`<li class="happened">
    ${from.first_name} ${key === undefined ? 'did something' : (happened[key] ?? '')}
  </li>`;
}
