import type { Client } from 'discord.js';

import { createBotRunner } from '../../bot-service/bot-runner.ts';
import type { BotLog } from '../../bot-service/bot-runner.ts';
import type { SameBot } from '../../bot-service/same-bot.ts';
import type { ServiceStore } from '../../bot-service/service-store.ts';
import { createGatewayConnection } from './gateway-client.ts';
import { gatewayFailureOf } from './gateway-failure.ts';
import type { BotDeps } from '../commands/command.ts';
import { registerCommands } from '../commands/commands.ts';
import { addGatewayEvents, type GatewayEventDeps } from './gateway-events.ts';
import { addInteractions } from '../commands/interactions.ts';
import { createMemberRounds, type MemberRounds } from './ask-members.ts';
import type { DiscordPace } from './discord-pace.ts';
import { createKeyedWork } from './keyed-work.ts';
import { type BotWork, runGateway } from './run-gateway.ts';

export interface DiscordServiceDeps {
  readonly settings: { readonly botToken: string; readonly apiUrl: string };
  readonly store: ServiceStore;
  readonly sameBot: Pick<SameBot, 'check'>;
  /** Of the product's database. */
  readonly url: string;
  readonly bot: BotDeps;
  readonly events: Omit<GatewayEventDeps, 'rounds' | 'retryMs' | 'membersWithinMs'>;
  readonly announce: () => Promise<void>;
  readonly onNews: (run: () => void) => () => void;
  readonly log: BotLog;
  readonly pace: DiscordPace;
}

/** The bot with a token: one copy at a time is connected to Discord (rulings R7). */
export function createDiscordService(deps: DiscordServiceDeps) {
  const { settings, store, sameBot, log, pace } = deps;
  const rounds = createMemberRounds(deps.events.members);
  return createBotRunner({
    url: deps.url,
    label: 'Discord bot',
    failureOf: gatewayFailureOf,
    store,
    run: async (report, stop) => {
      if (!(await sameBot.check())) return;
      const connection = createGatewayConnection({ token: settings.botToken, apiUrl: settings.apiUrl });
      const work = attach(connection.client, deps, rounds);
      await runGateway({ connection, work, report, log, pace }, stop);
    },
    announce: deps.announce,
    onWish: deps.onNews,
    log,
    pace,
  });
}

function attach(client: Client, { bot, events, log, pace }: DiscordServiceDeps, rounds: MemberRounds): BotWork {
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
  const { rewriteMs: retryMs, membersWithinMs } = pace;
  const gateway = addGatewayEvents(client, { ...events, rounds, retryMs, membersWithinMs });
  const parts = [addInteractions(client, bot), gateway, commands];
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
