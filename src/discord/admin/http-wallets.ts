import { checkIsKnown, memberOr404 } from './http-members.ts';
import { authorize, type AuthorizingDeps, endAuthorization, listAuthorized } from './authorizing.ts';
import { guildParams } from '../contract.ts';
import { memberAnswer, type MemberExplanation } from '../members-contract.ts';
import {
  authorizedWalletAnswer,
  authorizedWalletParams,
  authorizedWalletsAnswer,
  authorizeWalletBody,
  memberWalletParams,
} from '../members-contract.ts';
import { type Admin, adminOf, failure } from '../../http/admin-call.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { Invalid, Refused } from '../../shared/failure.ts';
import { canonicalWallet } from '../../shared/sui-address.ts';

/** As in the body. */
const reasonMax = 200;

/** Authorized wallets (rulings R5). */
export const walletRoutes = (deps: AuthorizingDeps): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/discord/guilds/{guildId}/wallets',
    access: 'operator',
    summary: 'Authorized wallets of a server, with those that ended in the last 30 days',
    params: guildParams,
    answer: authorizedWalletsAnswer,
    handle: async ({ params: { guildId } }) => {
      await checkIsKnown(deps.db, guildId);
      return { status: 200, body: { data: await listAuthorized(deps.db, guildId) } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/discord/guilds/{guildId}/wallets',
    access: 'operator',
    summary: 'Authorize a wallet: it counts as holding, until it expires or is taken away',
    params: guildParams,
    bodyBytes: 4 * 1_024,
    body: authorizeWalletBody,
    answer: authorizedWalletAnswer,
    handle: async ({ params: { guildId }, body: wanted, user }) => {
      const reason = cleanText(wanted.reason, reasonMax);
      if (reason === '') throw new Invalid('reason-required', 'The reason has no visible letter. Type a reason.');
      const added = await authorize(deps, { ...wanted, guildId, reason }, adminOf(user));
      if (added !== 'already-authorized') return { status: 200, body: { data: added } };
      const sentence = 'This wallet is authorized already. Remove it first to change its reason or expiry.';
      return failure(409, 'already-authorized', sentence);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/discord/guilds/{guildId}/wallets/{walletId}',
    access: 'operator',
    summary: 'Remove an authorization; the role ends only after two checks that find nothing',
    params: authorizedWalletParams,
    answer: authorizedWalletAnswer,
    handle: async ({ params: { guildId, walletId }, user }) => {
      return { status: 200, body: { data: await endAuthorization(deps, guildId, walletId, adminOf(user)) } };
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
    access: 'operator',
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
