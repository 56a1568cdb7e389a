import { consoleDocument } from './document.ts';
import { commandForms, speakForm } from './discord-forms.ts';
import { discordMessages, failedDoing } from './discord-messages.ts';
import { peopleList, roleList } from './discord-people.ts';
import { discordSwitches, newThings } from './discord-switches.ts';
import type { DiscordView } from './discord-view.ts';
import { memberName, placeUrl, textChannels } from './discord-view.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const parts = {
  places,
  messages: discordMessages,
  failed: failedDoing,
  commands: commandForms,
  presence,
  people: peopleList,
  roles: roleList,
  switches: discordSwitches,
} as const;

/** The live parts, by their `data-live` name in the page. */
export function discordParts(view: DiscordView): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part(view).markup]));
}

function places(view: DiscordView): Html {
  const { discord, guild, channel } = view;
  const link = (url: string, words: string, isHere: boolean): Html =>
    html`<li><a href="${url}" ${isHere ? html`aria-current="page"` : null}>${words}</a></li>`;
  return html`<ul class="chats">
    ${discord.guilds().map((each) => {
      const url = placeUrl(view, { guild: each.id, channel: '' });
      if (each.id !== guild.id) return link(url, each.name, false);
      return html`<li>
        <a href="${url}"><b>${each.name}</b> <small>${each.members.size} members</small></a>
        <ul>
          ${textChannels(each).map(({ id, name }) => link(placeUrl(view, { channel: id }), `#${name}`, id === channel?.id))}
        </ul>
      </li>`;
    })}
    ${link(placeUrl(view, { channel: 'dm' }), `Direct messages of ${memberName(view, view.person.id)}`, channel === null)}
  </ul>`;
}

function presence({ discord, guild }: DiscordView): Html {
  const isConnected = discord.gateway().connections.length > 0;
  const words = !guild.hasBot ? 'is not in this server' : isConnected ? 'is here' : 'is a member, but not connected';
  return html`<span class="state ${guild.hasBot && isConnected ? 'state-well' : 'state-broken'}">
    ${discord.bot.username} ${words}
  </span>`;
}

const live = (name: keyof typeof parts, view: DiscordView): Html =>
  html`<div data-live="${name}">${parts[name](view)}</div>`;

/** The server view as one document. */
export function discordPage(view: DiscordView): Html {
  const { channel, guild, person } = view;
  const here = channel ? `#${channel.name}` : 'Direct messages';
  return consoleDocument({
    title: `${here} · ${guild.name}`,
    heading: 'Discord servers',
    words: "The sandbox's Discord: servers that exist on this machine only.",
    styles: ['chat.css', 'discord.css'],
    liveFrom: placeUrl(view).replace('/discord?', '/discord/live?'),
    main: html`<main class="talk">
      <section aria-labelledby="places">
        <h2 id="places">Servers</h2>
        ${live('places', view)}
      </section>
      <section class="phone" aria-labelledby="place">
        <h2 id="place">${here}</h2>
        <p>
          You act as <b>${memberName(view, person.id)}</b>. To act as someone else, click their name under Members.
          <a href="/wallets">Everybody's wallets</a>
        </p>
        ${live('presence', view)}
        <div class="screen" data-live="messages" data-bottom tabindex="0" role="log" aria-label="Messages">
          ${discordMessages(view)}
        </div>
        <div data-live="failed" aria-live="polite">${failedDoing(view)}</div>
        ${live('commands', view)} ${speakForm(view)}
      </section>
      <section aria-labelledby="members">
        <h2 id="members">Members</h2>
        ${live('people', view)}
        <h2>Roles</h2>
        ${live('roles', view)}
        <h2>Change this server</h2>
        ${live('switches', view)} ${newThings(view)}
      </section>
    </main>`,
  });
}
