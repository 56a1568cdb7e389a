import type { DiscordState, DiscordUser } from './discord-state.ts';
import { createDiscordState } from './discord-state.ts';
import type { Gateway } from './gateway/gateway.ts';
import { createGateway } from './gateway/gateway.ts';
import type { RestLimits } from './rest-limits.ts';
import { createRestLimits } from './rest-limits.ts';
import type { Snowflakes } from './snowflakes.ts';
import { createSnowflakes } from './snowflakes.ts';

/** One call and its answer. `route` is the path in the published description. */
export type CallRecord = {
  method: string;
  route: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  /** X-Audit-Log-Reason, decoded. */
  reason: string | null;
  status: number;
  answer: unknown;
  atMs: number;
};

/** All parts of this Discord, as passed to every route. */
export type DiscordServer = {
  readonly token: string;
  readonly bot: DiscordUser;
  readonly now: () => Date;
  readonly ids: Snowflakes;
  state: DiscordState;
  readonly gateway: Gateway;
  readonly limits: RestLimits;
  readonly settings: InteractionTimes;
  /** The newest calls, oldest first. */
  calls: CallRecord[];
  callsByRoute: Map<string, number>;
  refusalsByStatus: Map<number, number>;
  refusalsByCode: Map<number, number>;
};

type InteractionTimes = {
  /** Time allowed until the callback. */
  interactionDeadlineMs: number;
  /** Time in which answers may be sent and edited. */
  interactionTokenLifeMs: number;
};

export const usualInteractionTimes: InteractionTimes = { interactionDeadlineMs: 3000, interactionTokenLifeMs: 900_000 };
const botId = '1191000000000000001';

/** Shaped like a real token, which starts with the bot's id; valid only in the sandbox. */
const tokenOf = (id: string): string => `${Buffer.from(id).toString('base64url')}.sandbox.token-of-no-real-bot-at-all`;

export function createDiscordServer(now: () => Date, runMark?: string): DiscordServer {
  const bot: DiscordUser = {
    id: botId,
    username: 'sui-rocks-sandbox',
    globalName: null,
    isBot: true,
    hasClosedDms: false,
  };
  const token = tokenOf(bot.id);
  return {
    token,
    bot,
    now,
    ids: createSnowflakes(now, runMark),
    state: createDiscordState(bot),
    gateway: createGateway({ token, bot }),
    // The product may run on a simulated clock; limits use real seconds.
    limits: createRestLimits(() => performance.now()),
    settings: { ...usualInteractionTimes },
    calls: [],
    callsByRoute: new Map(),
    refusalsByStatus: new Map(),
    refusalsByCode: new Map(),
  };
}
