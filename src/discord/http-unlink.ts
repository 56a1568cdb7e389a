import { type Admin, adminOf } from '../http/admin-call.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { Invalid, Refused } from '../shared/failure.ts';
import { canonicalWallet } from '../shared/sui-address.ts';
import { memberOr404 } from './http-members.ts';
import { memberAnswer, type MemberExplanation } from './members-contract.ts';
import { memberWalletParams } from './wallets-contract.ts';

export interface UnlinkCalls {
  /** False: it is not theirs. */
  readonly unlinkWallet: (guildId: string, userId: string, wallet: string, by: Admin) => Promise<boolean>;
  /** null: nothing is known of them any more. */
  readonly explain: (guildId: string, userId: string) => Promise<MemberExplanation | null>;
}

/**
 * Rulings R5: one wallet one member per server. Whoever finds a wallet of theirs linked by somebody else asks the admins, who set it
 * free here.
 */
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
