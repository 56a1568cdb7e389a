import { isAdministrator, isInside } from '../telegram/membership.ts';
import type { Chat, Member } from '../telegram/telegram-state.ts';
import type { ChatView } from './chat-page.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

/** `speak`: the line at the bottom of the chat. `change`: what a group owner can do. */
export function chatForms(view: ChatView): { speak: Html; change: Html } {
  const { chat } = view;
  const isOver = chat.migratedTo !== null || chat.isDeleted;
  return {
    speak: isOver
      ? html`<p class="quiet">Nobody can write here any more.</p>`
      : html`${speakForm(view)} ${toTry(view)}`,
    change: html`<div class="changes">
      ${isOver ? null : presenceForms(view)} ${isOver ? null : refuseForm(chat)} ${isOver ? null : lifeForms(chat)}
      ${newGroupForm(view)}
      <form data-command="telegram/reset" data-then="/chat">
        <button class="break">Reset all chats</button>
      </form>
    </div>`,
  };
}

function roleOf(member: Member): string {
  if (member.status === 'creator') return 'owner';
  return isAdministrator(member) ? 'admin' : 'member';
}

function speakers({ telegram, chat }: ChatView): Html {
  const people = [...chat.members.values()].filter(({ user, status }) => !user.is_bot && isInside(status));
  const anonymous = people.find((member) => isAdministrator(member) && member.isAnonymous);
  return html`<select name="speaker" id="speaker" data-merge>
    ${people.map(
      (member) =>
        html`<option value="${JSON.stringify({ userId: member.user.id })}" data-user="${member.user.id}">
          ${member.user.first_name} (${roleOf(member)})
        </option>`,
    )}
    ${
      chat.kind !== 'private' &&
      html`<option
        value="${JSON.stringify({ as: 'anonymous-admin' })}"
        data-user="${anonymous?.user.id ?? telegram.seeded.anonymousAdminId}"
      >
        The group itself (anonymous admin)
      </option>`
    }
  </select>`;
}

function speakForm(view: ChatView): Html {
  const { chat, threadId } = view;
  return html`<form data-command="telegram/type" class="speak">
    <input type="hidden" name="chatId" data-number value="${chat.id}" />
    ${threadId !== null && html`<input type="hidden" name="threadId" data-number value="${threadId}" />`}
    <label>As ${speakers(view)}</label>
    <label
      >In reply to
      <input name="replyToMessageId" data-number data-clear placeholder="message number" inputmode="numeric"
    /></label>
    <label class="words"
      >Message <input name="text" data-clear placeholder="/setup …" required autocomplete="off" maxlength="4096"
    /></label>
    <button>Send</button>
  </form>`;
}

function toTry({ ownCollectionType }: ChatView): Html {
  const command = `/setup ${ownCollectionType}`;
  return html`<p class="quiet to-try">
    To follow the rocks, click this line and send it:
    <button type="button" class="fill" data-fill="${command}"><code>${command}</code></button>
  </p>`;
}

function botForm(chat: Chat, title: string, status: string, isBreaking = false): Html {
  return html`<form data-command="telegram/set-bot" data-then="reload">
    <input type="hidden" name="chatId" data-number value="${chat.id}" />
    <input type="hidden" name="status" value="${status}" />
    <button ${isBreaking ? html`class="break"` : null}>${title}</button>
  </form>`;
}

function presenceForms({ telegram, chat }: ChatView): Html {
  const status = chat.members.get(telegram.bot.id)?.status;
  if (chat.kind === 'private') {
    return html`<form data-command="telegram/set-blocked" data-then="reload">
      <input type="hidden" name="userId" data-number value="${chat.id}" />
      <input type="hidden" name="isBlocked" data-boolean value="${status === 'kicked' ? 'false' : 'true'}" />
      <button class="${status === 'kicked' ? 'mend' : 'break'}">
        ${status === 'kicked' ? 'Unblock the bot' : 'Block the bot'}
      </button>
    </form>`;
  }
  if (!isInside(status)) return botForm(chat, 'Add the bot', 'member');
  return html`
    ${status === 'administrator' ? botForm(chat, 'Make it a member again', 'member') : botForm(chat, 'Promote the bot', 'administrator')}
    ${botForm(chat, 'Remove the bot', 'left')} ${botForm(chat, 'Kick the bot', 'kicked', true)}
  `;
}

/** Makes a message fail for its content, as an admin sees it in the product's deliveries. */
function refuseForm({ id, refusesNext }: Chat): Html {
  return html`<form data-command="telegram/refuse-next" data-then="reload">
    <input type="hidden" name="chatId" data-number value="${id}" />
    <button class="break">
      ${refusesNext.left > 0 ? "The bot's next message will be refused" : "Refuse the bot's next message"}
    </button>
  </form>`;
}

function lifeForms(chat: Chat): Html | null {
  const chatId = html`<input type="hidden" name="chatId" data-number value="${chat.id}" />`;
  if (chat.kind === 'private') return null;
  return html`
    ${
      chat.kind === 'group' &&
      html`<form data-command="telegram/migrate-group" data-then="/chat?chat={id}">
        ${chatId}<button>Make it a supergroup</button>
      </form>`
    }
    ${
      chat.isForum &&
      html`<form data-command="telegram/create-topic" data-then="reload" class="row">
        ${chatId}<label>Topic <input name="name" required maxlength="128" autocomplete="off" /></label
        ><button>Create topic</button>
      </form>`
    }
    <form data-command="telegram/delete-chat" data-then="reload">
      ${chatId}<button class="break">Delete the group</button>
    </form>
  `;
}

function newGroupForm({ telegram }: ChatView): Html {
  const { adminId, anonymousAdminId, memberId } = telegram.seeded;
  const members = [
    { userId: adminId, status: 'creator' },
    { userId: anonymousAdminId, status: 'administrator', isAnonymous: true },
    { userId: memberId },
  ];
  return html`<form data-command="telegram/create-chat" data-then="/chat?chat={id}" class="slab">
    <h3>New group</h3>
    <label>Title <input name="title" required maxlength="128" autocomplete="off" value="Cave Party" /></label>
    <label
      >Kind
      <select name="shape" data-merge>
        <option value="${JSON.stringify({ kind: 'group' })}">group</option>
        <option value="${JSON.stringify({ kind: 'supergroup' })}">supergroup</option>
        <option value="${JSON.stringify({ kind: 'supergroup', isForum: true })}">forum</option>
      </select></label
    >
    <input type="hidden" name="people" data-merge value="${JSON.stringify({ members, bot: 'absent' })}" />
    <button>Create it, without the bot</button>
  </form>`;
}
