import type { Client } from 'discord.js';

import { createBotRunner } from '../../bot-service/bot-runner.ts';
import type { SameBot, ServiceStore } from '../../bot-service/service-store.ts';
import { createGatewayConnection } from './gateway-client.ts';
import { gatewayFailureOf } from './gateway-failure.ts';
import type { BotDeps } from '../commands/command.ts';
import { addInteractions, registerCommands } from '../commands/interactions.ts';
import { addGatewayEvents, type GatewayEventDeps } from './gateway-events.ts';
import { createMemberRounds } from './ask-members.ts';
import { createPanels } from '../servers/panels.ts';
import {
  createChannelVoice,
  createMemberList,
  createRolePlatform,
  createRestClient,
  type RestOptions,
} from './rest-calls.ts';
import { createKeyedWork } from './keyed-work.ts';
import { type BotWork, runGateway } from './run-gateway.ts';

interface DiscordCallsDeps extends Omit<Parameters<typeof createPanels>[0], 'rest'> {
  readonly connection: RestOptions;
  readonly sameBot: Pick<SameBot, 'check'>;
}

/** Everything that speaks with Discord, over one REST client and one gateway. */
export function createDiscordCalls(deps: DiscordCallsDeps) {
  const { connection, sameBot } = deps;
  const rest = createRestClient(connection);
  return {
    platform: createRolePlatform(rest, sameBot.check),
    voice: createChannelVoice(rest),
    readMembers: createMemberList(rest),
    panels: createPanels({ ...deps, rest }),
    createService: (service: Omit<DiscordServiceDeps, 'connection'>) =>
      createDiscordService({ ...service, connection }),
  };
}

interface DiscordServiceDeps extends Omit<GatewayEventDeps, 'rounds'> {
  readonly connection: RestOptions;
  readonly store: ServiceStore;
  readonly sameBot: Pick<SameBot, 'check'>;
  /** Of the product's database. */
  readonly url: string;
  readonly bot: BotDeps;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
}

/** The bot with a token: one copy at a time is connected to Discord (rulings R7). */
function createDiscordService(deps: DiscordServiceDeps) {
  const { store, sameBot, log, pace } = deps;
  const rounds = createMemberRounds(deps.members);
  return createBotRunner({
    url: deps.url,
    label: 'Discord bot',
    failureOf: gatewayFailureOf,
    store,
    run: async (report, stop) => {
      if (!(await sameBot.check())) return;
      const connection = createGatewayConnection(deps.connection);
      const work = attach(connection.client, { ...deps, rounds });
      await runGateway({ connection, work, report, log, pace }, stop);
    },
    announce: deps.announce,
    onWish: deps.onNews,
    log,
    pace,
  });
}

function attach(client: Client, deps: DiscordServiceDeps & GatewayEventDeps): BotWork {
  const { log, pace } = deps;
  // Without commands no one can verify: a brief refusal by Discord must not last until the next connection.
  const commands = createKeyedWork({
    work: async () => {
      if (client.isReady()) await registerCommands(client);
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'The Discord bot could not register its commands; it tries again by itself'),
    retryMs: pace.registerAgainMs,
  });
  client.once('clientReady', () => commands.ask('all'));
  const parts = [addInteractions(client, deps.bot), addGatewayEvents(client, deps), commands];
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
