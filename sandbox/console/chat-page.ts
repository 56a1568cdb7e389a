import { isInside } from '../telegram/membership.ts';
import type { TelegramControl } from '../telegram/telegram-control.ts';
import type { Chat } from '../telegram/telegram-state.ts';
import { chatForms } from './chat-forms.ts';
import { messageList } from './chat-messages.ts';
import { formattedText } from './chat-text.ts';
import { consoleDocument } from './document.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const shownChats = 40;

export type ChatView = {
  telegram: TelegramControl;
  chat: Chat;
  threadId: number | null;
  nowMs: number;
  /** The collection that someone trying the demo is likely to set up first. */
  ownCollectionType: string;
};

/** The requested chat, or the seeded group. */
export function chatViewOf(
  { telegram, nowMs, ownCollectionType }: Pick<ChatView, 'telegram' | 'nowMs' | 'ownCollectionType'>,
  query: URLSearchParams,
): ChatView {
  const wanted = telegram.chats().find(({ id }) => String(id) === query.get('chat'));
  const chat = wanted ?? telegram.chat(telegram.seeded.groupId);
  const threadId = Number(query.get('topic') ?? 0);
  return { telegram, chat, threadId: chat.topics.has(threadId) ? threadId : null, nowMs, ownCollectionType };
}

/** The live parts, by their `data-live` name in the page. */
export function chatParts(view: ChatView): Record<string, string> {
  return {
    messages: messageList(view, view.threadId).markup,
    presence: presence(view).markup,
    answer: lastAnswer(view).markup,
    chats: chatLinks(view).markup,
  };
}

function presence({ telegram, chat }: ChatView): Html {
  if (chat.migratedTo !== null) return html`<a href="/chat?chat=${chat.migratedTo}">This group became a supergroup</a>`;
  const status = chat.isDeleted ? undefined : chat.members.get(telegram.bot.id)?.status;
  return html`<span class="state ${isInside(status) ? 'state-well' : 'state-broken'}">
    @${telegram.bot.username ?? ''} ${isInside(status) ? `is in this chat (${status ?? ''})` : 'is not in this chat'}
  </span>`;
}

/** The bot's answer to the last button press in this chat; a phone shows it briefly at the top. */
function lastAnswer({ telegram, chat }: ChatView): Html {
  const answer = telegram.callbackAnswers().findLast(({ chatId }) => chatId === chat.id);
  const text = answer?.text ?? null;
  return text === null ? html`` : html`<p class="answer">${formattedText(text, [])}</p>`;
}

function chatLinks({ telegram, chat }: ChatView): Html {
  const others = telegram.chats().filter(({ kind, migratedTo }) => kind !== 'channel' && migratedTo === null);
  return html`<ul class="chats">
    ${others.slice(0, shownChats).map(
      (each) =>
        html`<li>
          <a href="/chat?chat=${each.id}" ${each.id === chat.id ? html`aria-current="page"` : null}>
            ${each.kind === 'private' ? `${each.title} (private)` : each.title}
            <small>${each.isForum ? 'forum' : each.kind} ${each.id}</small>
          </a>
        </li>`,
    )}
    ${others.length > shownChats && html`<li class="quiet">and ${others.length - shownChats} more</li>`}
  </ul>`;
}

function topicLinks({ chat, threadId }: ChatView): Html | null {
  if (!chat.isForum) return null;
  const topics = [...chat.topics.values()].filter(({ isDeleted }) => !isDeleted);
  const link = (id: number | null, name: string): Html =>
    html`<a
      href="/chat?chat=${chat.id}${id === null ? '' : `&topic=${id}`}"
      ${id === threadId ? html`aria-current="page"` : null}
      >${name}</a
    >`;
  return html`<nav class="topics" aria-label="Topics">
    ${link(null, 'All')}
    ${topics.map((topic) => link(topic.threadId, `${topic.name}${topic.isClosed ? ' (closed)' : ''}`))}
  </nav>`;
}

/** The chat view as one document. */
export function chatPage(view: ChatView): Html {
  const { chat, threadId } = view;
  const live = `/chat/live?chat=${chat.id}${threadId === null ? '' : `&topic=${threadId}`}`;
  const forms = chatForms(view);
  return consoleDocument({
    title: chat.title,
    heading: 'Telegram chats',
    words: "The sandbox's Telegram: chats that exist on this machine only.",
    styles: ['chat.css'],
    liveFrom: live,
    main: html`<main class="talk">
      <section aria-labelledby="chats">
        <h2 id="chats">Chats</h2>
        <div data-live="chats">${chatLinks(view)}</div>
      </section>
      <section class="phone" aria-labelledby="chat">
        <h2 id="chat">${chat.title}</h2>
        <p data-live="presence">${presence(view)}</p>
        ${topicLinks(view)}
        <div class="screen" data-live="messages" data-bottom tabindex="0" role="log" aria-label="Messages">
          ${messageList(view, threadId)}
        </div>
        <div data-live="answer" aria-live="polite">${lastAnswer(view)}</div>
        ${forms.speak}
      </section>
      <section aria-labelledby="change">
        <h2 id="change">Change this chat</h2>
        ${forms.change}
      </section>
    </main>`,
  });
}
