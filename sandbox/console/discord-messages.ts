import { z } from 'zod';
import type { Json, StoredMessage } from '../discord/discord-state.ts';
import { markdown } from './discord-text.ts';
import type { DiscordView } from './discord-view.ts';
import { memberName, seenHere, textFacts } from './discord-view.ts';
import { clockOf } from './formats.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const shownMessages = 60;

/** The newest messages that the person sees here. */
export function discordMessages(view: DiscordView): Html {
  const seen = seenHere(view);
  if (seen === null) return html`<p class="quiet">${memberName(view, view.person.id)} cannot see this channel.</p>`;
  if (seen.length === 0) return html`<p class="quiet">No messages yet.</p>`;
  return html`<ol class="messages">
    ${seen.slice(-shownMessages).map((message) => messageItem(view, message))}
  </ol>`;
}

function messageItem(view: DiscordView, message: StoredMessage): Html {
  const isOwn = message.authorId === view.discord.bot.id;
  const facts = textFacts(view);
  const marks = [message.ephemeralFor !== null && 'only you see this', message.edits.length > 0 && 'edited'];
  return html`
    <li class="${isOwn ? 'bubble bubble-bot' : 'bubble'}">
      <p class="sender">${memberName(view, message.authorId)}${isOwn && html`<small>App</small>`}</p>
      ${message.isLoading && html`<p class="quiet">${memberName(view, message.authorId)} is thinking…</p>`}
      ${message.content !== '' && html`<span class="said-text">${markdown(message.content, facts)}</span>`}
      ${message.embeds.map((embed) => embedCard(view, embed))}
      <p class="quiet figures">
        ${marks.filter((mark) => mark !== false).map((mark) => `${mark} · `)}${pinged(view, message)}
        ${clockOf(message.atMs, view.nowMs)}
      </p>
      ${buttons(view, message)}
    </li>
  `;
}

/** Who the message notified. */
function pinged(view: DiscordView, { pinged: { everyone, roleIds, userIds } }: StoredMessage): string {
  const { nameOf } = textFacts(view);
  const names = [
    ...(everyone ? ['everyone'] : []),
    ...roleIds.map((id) => nameOf('role', id)),
    ...userIds.map((id) => nameOf('user', id)),
  ];
  return names.length === 0 ? '' : `notified ${names.join(', ')} · `;
}

const embedShape = z.looseObject({
  title: z.string().nullish(),
  description: z.string().nullish(),
  fields: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
  footer: z.looseObject({ text: z.string() }).nullish(),
});

function embedCard(view: DiscordView, embed: Json): Html | null {
  const { data } = embedShape.safeParse(embed);
  if (!data) return null;
  const facts = textFacts(view);
  return html`<div class="embed">
    ${data.title ? html`<p><b>${markdown(data.title, facts)}</b></p>` : null}
    ${data.description ? html`<span class="said-text">${markdown(data.description, facts)}</span>` : null}
    ${(data.fields ?? []).map(
      ({ name, value }) =>
        html`<p><b>${markdown(name, facts)}</b></p>
          <span class="said-text">${markdown(value, facts)}</span>`,
    )}
    ${data.footer ? html`<p class="quiet">${data.footer.text}</p>` : null}
  </div>`;
}

const rowShape = z.looseObject({
  components: z
    .array(
      z.looseObject({
        type: z.int(),
        label: z.string().nullish(),
        custom_id: z.string().nullish(),
        url: z.string().nullish(),
        disabled: z.boolean().nullish(),
      }),
    )
    .optional(),
});
type Button = NonNullable<z.infer<typeof rowShape>['components']>[number];

const buttonType = 2;

function buttons(view: DiscordView, message: StoredMessage): Html | null {
  const rows = message.components.map((row) =>
    (rowShape.safeParse(row).data?.components ?? []).filter(({ type }) => type === buttonType),
  );
  if (rows.every((row) => row.length === 0)) return null;
  return html`<div class="keyboard">
    ${rows.map((row) => html`<div>${row.map((button) => buttonForm(view, message.id, button))}</div>`)}
  </div>`;
}

function buttonForm({ person, linkTo }: DiscordView, messageId: string, button: Button): Html {
  const { url, label, custom_id: customId } = button;
  const words = label ?? '(no label)';
  if (url && /^https?:\/\//i.test(url)) {
    return html`<a class="key" href="${linkTo(url)}" target="_blank" rel="noopener noreferrer">${words} ↗</a>`;
  }
  return html`<form data-command="discord/press">
    <input type="hidden" name="userId" value="${person.id}" />
    <input type="hidden" name="messageId" value="${messageId}" />
    <input type="hidden" name="button" value="${customId ?? words}" />
    <button class="key" ${button.disabled ? html`disabled` : null}>${words}</button>
  </form>`;
}

const answerShownMs = 15_000;

/** What a client shows in red for a moment when an application did not answer the person. */
export function failedDoing({ discord, person, channel, nowMs }: DiscordView): Html {
  const here = channel?.id;
  const last = discord
    .interactions()
    .findLast(({ userId, channelId }) => userId === person.id && (here === undefined || channelId === here));
  if (last?.state !== 'failed' || nowMs - last.atMs > answerShownMs) return html``;
  return html`<p class="answer">The application did not respond${last.kind === 'command' && ` to /${last.name}`}.</p>`;
}
