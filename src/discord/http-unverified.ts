import { defineRoute, type Route } from '../http/route.ts';
import { guildParams } from './contract.ts';
import { unverifiedHoldersAnswer, type UnverifiedHoldersAnswer } from './members-contract.ts';

type Read = (guildId: string) => Promise<UnverifiedHoldersAnswer['data']>;

/** Rulings R6: those whom the statistics of verified members do not show. */
export const unverifiedRoutes = (read: Read): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/unverified-holders',
    access: 'admin',
    summary: 'Members who have the holder role and have linked no wallet: from another bot, or by hand',
    params: guildParams,
    answer: unverifiedHoldersAnswer,
    handle: async ({ params }) => ({ status: 200, body: { data: await read(params.guildId) } }),
  }),
];
