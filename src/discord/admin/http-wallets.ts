import { memberOr404, unknownGuild } from './http-members.ts';
import { guildParams } from '../contract.ts';
import { memberAnswer, type MemberExplanation } from '../members-contract.ts';
import {
  authorizedWalletAnswer,
  authorizedWalletParams,
  authorizedWalletsAnswer,
  type AuthorizedWalletsAnswer,
  authorizeWalletBody,
  memberWalletParams,
} from '../wallets-contract.ts';
import { type Admin, adminOf, failure } from '../../http/admin-call.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { Invalid, Refused } from '../../shared/failure.ts';
import { canonicalWallet } from '../../shared/sui-address.ts';

type AuthorizedWallet = AuthorizedWalletsAnswer['data'][number];

export interface WalletCalls {
  /** The bot is or was in that server. */
  readonly isKnown: (guildId: string) => Promise<boolean>;
  readonly list: (guildId: string) => Promise<readonly AuthorizedWallet[]>;
  readonly authorize: (
    given: {
      readonly guildId: string;
      readonly wallet: string;
      readonly reason: string;
      readonly expiresAt: string | null;
    },
    by: Admin,
  ) => Promise<AuthorizedWallet | 'already-authorized'>;
  readonly end: (guildId: string, walletId: string, by: Admin) => Promise<AuthorizedWallet>;
}

/** As in the body. */
const reasonMax = 200;

/** Authorized wallets (rulings R5). */
export const walletRoutes = ({ isKnown, list, authorize, end }: WalletCalls): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/wallets',
    access: 'admin',
    summary: 'Authorized wallets of a server, with those that ended in the last 30 days',
    params: guildParams,
    answer: authorizedWalletsAnswer,
    handle: async ({ params: { guildId } }) => {
      if (!(await isKnown(guildId))) throw unknownGuild();
      return { status: 200, body: { data: await list(guildId) } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/discord/guilds/{guildId}/wallets',
    access: 'admin',
    summary: 'Authorize a wallet: it counts as holding, until it expires or is taken away',
    params: guildParams,
    bodyBytes: 4 * 1_024,
    body: authorizeWalletBody,
    answer: authorizedWalletAnswer,
    handle: async ({ params: { guildId }, body: wanted, user }) => {
      const reason = cleanText(wanted.reason, reasonMax);
      if (reason === '') throw new Invalid('reason-required', 'The reason has no visible letter. Type a reason.');
      const added = await authorize({ ...wanted, guildId, reason }, adminOf(user));
      if (added !== 'already-authorized') return { status: 200, body: { data: added } };
      const sentence = 'This wallet is authorized already. Remove it first to change its reason or expiry.';
      return failure(409, 'already-authorized', sentence);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/discord/guilds/{guildId}/wallets/{walletId}',
    access: 'admin',
    summary: 'Remove an authorization; the role ends only after two checks that find nothing',
    params: authorizedWalletParams,
    answer: authorizedWalletAnswer,
    handle: async ({ params: { guildId, walletId }, user }) => {
      return { status: 200, body: { data: await end(guildId, walletId, adminOf(user)) } };
    },
  }),
];

export interface UnlinkCalls {
  /** False: it is not theirs. */
  readonly unlinkWallet: (guildId: string, userId: string, wallet: string, by: Admin) => Promise<boolean>;
  /** null: nothing is known of them any more. */
  readonly explain: (guildId: string, userId: string) => Promise<MemberExplanation | null>;
}

/** Rulings R5: one wallet, one member per server. A member whose wallet someone else has linked asks an admin, who unlinks it here. */
export const unlinkRoutes = ({ unlinkWallet, explain }: UnlinkCalls): readonly Route[] => [
  defineRoute({
    method: 'DELETE',
    path: '/api/discord/guilds/{guildId}/members/{userId}/wallets/{wallet}',
    access: 'admin',
    summary: 'Unlink a wallet of a member; the role ends only after two checks that find nothing in the others',
    params: memberWalletParams,
    answer: memberAnswer,
    handle: async ({ params, user }) => {
      const { guildId, userId, wallet: text } = params;
      const wallet = canonicalWallet(text);
      if (wallet === null) {
        throw new Invalid('invalid-wallet', 'A wallet address is 0x and 64 hexadecimal digits.');
      }
      if (await unlinkWallet(guildId, userId, wallet, adminOf(user)))
        return memberOr404(await explain(guildId, userId));
      throw new Refused('not-found', 'This member has not linked this wallet, or not any more. Refresh the page.');
    },
  }),
];
