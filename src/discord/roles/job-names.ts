import { z } from 'zod';

import type { JobName } from '../../jobs/define-job.ts';

/** The role engine's jobs, as their senders know them. */
const ofGuild = z.object({ guildId: z.string() });
const ofMember = z.object({ guildId: z.string(), userId: z.string() });
const actionsOf = z.object({ guildId: z.string(), kind: z.enum(['role-changes', 'messages']) });
export type ActionsOf = z.infer<typeof actionsOf>;
const ofType = z.object({ nftType: z.string() });
const nothing: z.ZodType<object> = z.object({});

/** Reads the wallets of one member and applies the result. */
export const memberChecks: JobName<z.infer<typeof ofMember>> = {
  name: 'discord-member-check',
  payload: ofMember,
  key: ({ guildId, userId }) => `${guildId} ${userId}`,
};

/** Gives and removes roles in one server, or sends direct messages, one after the other: Discord takes no more at once. */
export const roleActions: JobName<ActionsOf> = {
  name: 'discord-actions',
  payload: actionsOf,
  key: ({ guildId, kind }) => `${guildId} ${kind}`,
};

/** Decides who is notified and who loses the role in one server. */
export const removals: JobName<z.infer<typeof ofGuild>> = {
  name: 'discord-removals',
  payload: ofGuild,
  key: ({ guildId }) => guildId,
};

/** Checks everyone in all servers with that NFT type. */
export const sweeps: JobName<z.infer<typeof ofType>> = {
  name: 'discord-sweep',
  payload: ofType,
  key: ({ nftType }) => nftType,
};

const ofPost = z.object({ id: z.string() });
export type ChannelPost = z.infer<typeof ofPost>;
/** Posts one message in a channel. */
export const channelPosts: JobName<ChannelPost> = {
  name: 'discord-posts',
  payload: ofPost,
  key: ({ id }) => id,
};

const workEveryMs = 1_000;
/** Finds what is due, and sends the jobs above. */
export const dueWork = {
  name: 'discord-due-work',
  payload: nothing,
  repeats: { payload: {}, everyMs: workEveryMs },
};

const expiryEveryMs = 5_000;
/** Ends authorized wallets that expire. */
export const authorizationExpiry = {
  name: 'discord-authorization-expiry',
  payload: nothing,
  repeats: { payload: {}, everyMs: expiryEveryMs },
};
