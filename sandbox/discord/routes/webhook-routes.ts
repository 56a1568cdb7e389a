import type { DiscordServer } from '../discord-server.ts';
import type { Interaction, StoredMessage } from '../discord-state.ts';
import { ageMs } from '../interaction-events.ts';
import { readMessage } from '../message-form.ts';
import { edit, messageWire, remove } from '../messages.ts';
import { refusal } from '../refusal.ts';
import { callbackRoute, followUp, originalOf } from './interaction-routes.ts';
import { requireContent } from './message-routes.ts';
import type { Call, Route } from './route.ts';
import { done, ok } from './route.ts';

const webhookPath = '/webhooks/{webhook_id}/{webhook_token}';

type Finder = (server: DiscordServer, interaction: Interaction, call: Call) => StoredMessage;

const anyAnswer: Finder = (_server, interaction, { params }) => {
  const found = interaction.answers.find(({ id }) => id === params['message_id']);
  if (!found) throw refusal('unknownMessage');
  return found;
};
const original: Finder = (server, interaction) => originalOf(server, interaction);

/** Callbacks, and the webhook that adds, reads, edits and deletes an interaction's answers. */
export const interactionRoutes: Route[] = [
  callbackRoute,
  {
    method: 'POST',
    path: webhookPath,
    access: 'token',
    bucket: 'other',
    run: (server, call) => followUp(server, interactionOf(server, call), call),
  },
  ...routesOfMessage(`${webhookPath}/messages/@original`, original),
  ...routesOfMessage(`${webhookPath}/messages/{message_id}`, anyAnswer),
];

function routesOfMessage(path: string, find: Finder): Route[] {
  return [
    {
      method: 'GET',
      path,
      access: 'token',
      bucket: 'other',
      run: (server, call) => ok(messageWire(server, find(server, interactionOf(server, call), call))),
    },
    {
      method: 'PATCH',
      path,
      access: 'token',
      bucket: 'other',
      run: (server, call) => {
        const interaction = interactionOf(server, call);
        const message = find(server, interaction, call);
        const form = readMessage(call.body, { mayBeEmpty: true });
        requireContent(message, form);
        edit(server, message, form);
        if (interaction.state === 'deferred') interaction.state = 'answered';
        return ok(messageWire(server, message));
      },
    },
    {
      method: 'DELETE',
      path,
      access: 'token',
      bucket: 'other',
      run: (server, call) => {
        remove(server, find(server, interactionOf(server, call), call));
        return done;
      },
    },
  ];
}

/** The webhook exists from the callback until fifteen minutes after the interaction. */
function interactionOf(server: DiscordServer, { params }: Call): Interaction {
  const found = [...server.state.interactions.values()].find(({ token }) => token === params['webhook_token']);
  if (!found || params['webhook_id'] !== server.bot.id) throw refusal('unknownWebhook');
  if (found.state === 'waiting' || found.state === 'failed') throw refusal('unknownWebhook');
  if (ageMs(found) > server.settings.interactionTokenLifeMs) throw refusal('invalidWebhookToken');
  return found;
}
