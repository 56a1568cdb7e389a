import { z } from 'zod';

/**
 * Dispatches of the gateway as they are on the wire (documentation, topics/gateway-events). Members are read from here because
 * discord.js tells only of those it keeps, and it keeps none.
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

export const memberGonePayload = z.object({ guild_id: z.string(), user: user.pick({ id: true }) });

export const readyPayload = z.object({
  guilds: z.array(z.object({ id: z.string() })),
  /** The shard and how many there are; left out: there is one. */
  shard: z.tuple([z.int().min(0), z.int().min(1)]).default([0, 1]),
});
