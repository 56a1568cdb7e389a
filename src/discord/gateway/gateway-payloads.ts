import type { Client, GatewayDispatchEvents } from 'discord.js';
import { z } from 'zod';

import type { BotLog } from '../../bot-service/bot-runner.ts';
import { cleanText } from '../../shared/clean-text.ts';

const displayNameMax = 100;

/**
 * Gateway dispatches as sent (documentation, topics/gateway-events). Members are read here because discord.js only reports cached ones,
 * and it caches none.
 */
const user = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().nullish(),
});

export const memberPayload = z.object({
  guild_id: z.string(),
  user,
  nick: z.string().nullish(),
  roles: z.array(z.string()),
});
export type MemberPayload = z.infer<typeof memberPayload>;

/** Names are text of strangers. */
export const storedName = (name: string, userId: string): string => cleanText(name, displayNameMax) || userId;

export const displayNameOf = ({
  nick,
  user: { id, global_name: globalName, username },
}: Pick<MemberPayload, 'nick' | 'user'>) => storedName(nick ?? globalName ?? username, id);

export const memberGonePayload = z.object({ guild_id: z.string(), user: user.pick({ id: true }) });

export const readyPayload = z.object({
  guilds: z.array(z.object({ id: z.string() })),
  /** The shard and the number of shards; left out: there is one. */
  shard: z.tuple([z.int().min(0), z.int().min(1)]).default([0, 1]),
});

/** A dispatch before discord.js handles it. Unreadable ones are skipped: a throw would stop the connection's reading. */
export function hearDispatch<T>(
  client: Client,
  log: BotLog,
  event: GatewayDispatchEvents,
  schema: z.ZodType<T>,
  handle: (payload: T) => void,
): void {
  client.ws.on(event, (data: unknown) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) handle(parsed.data);
    else log.warn({ event, issues: parsed.error.issues.slice(0, 3) }, 'Discord sent an event of an unknown shape');
  });
}
