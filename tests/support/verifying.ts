import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';

import { createSuiClient } from '../../src/sources/sui/sui-client.ts';
import { auditTrail } from '../../src/audit/audit-log.ts';
import type { MemberExplanation } from '../../src/discord/members-contract.ts';
import type { MemberRoles } from '../../src/discord/roles/roles.ts';
import type { KnownGuild } from '../../src/discord/servers/rules/known-guild.ts';
import type { RedeemDeps } from '../../src/discord/verify/redeem-signature.ts';
import { createVerification } from '../../src/discord/verify/verification.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { systemClock } from '../../src/process/in-time.ts';
import type { Route } from '../../src/http/route.ts';
import { failureAnswerFor } from '../../src/http/failure-answer.ts';
import { testDatabase } from './database.ts';
import { askRoute, type routeRequest } from './route-request.ts';

const guildId = '100200300400';
export const gwen = { guildId, userId: '500600700800', displayName: 'Gwen', userName: 'gwen.rocks' };

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

export type Verifying = Awaited<ReturnType<typeof startVerifying>>;

const explanationOf = (
  userId: string,
  answer: MemberExplanation['answer'],
  wallets: readonly string[],
): MemberExplanation => ({
  member: { userId, displayName: 'Gwen' },
  isInGuild: true,
  roleState: answer === 'holds' ? 'holder' : 'none',
  hasRole: false,
  answer,
  answeredAt: new Date().toISOString(),
  nextCheckAt: null,
  wantsPayoutMessages: false,
  removalDueAt: null,
  isBotOff: false,
  sentences: ['1 rock: 1 in your wallet.'],
  wallets: wallets.map((wallet) => ({
    wallet,
    linkedAt: new Date().toISOString(),
    answer,
    found: null,
    authorizedUntil: null,
  })),
});

type Verify = RedeemDeps['sui']['verifyPersonalMessage'];

interface SimpleGuild {
  readonly name: string;
  readonly isPresent: boolean;
  /** null: it has no NFT contract yet. */
  readonly nftName: string | null;
  /** It has a role that still exists at Discord. */
  readonly isSetUp: boolean;
}

const knownGuildOf = ({ name, isPresent, nftName, isSetUp }: SimpleGuild): KnownGuild => ({
  guildId,
  name,
  isPresent,
  memberCount: 1,
  roles: [{ id: '1', name: 'Rock Holder', position: 1, isManaged: false }],
  channels: [],
  botPermissions: '0',
  botTopPosition: 2,
  isInOutage: false,
  verifiedCount: 0,
  hasWaitingRemoval: false,
  config:
    nftName === null
      ? null
      : { roleId: isSetUp ? '1' : '', channelId: null, nftContract: '0x1::a::A', nftName, graceMinutes: 0, version: 1 },
});

/** The calls of /verify on a real database, with a role engine whose answers a test chooses, or that links for real. */
export async function startVerifying(
  given: Partial<Pick<MemberRoles, 'linkWallet' | 'checkAndExplain'>> & {
    readonly verify?: Verify;
    readonly checkWithinMs?: number;
  } = {},
) {
  const { verify = withoutChain.verifyPersonalMessage, checkWithinMs, ...roles } = given;
  const database = await testDatabase();
  const db = typedKysely(database.pool);
  const owners = new Map<string, string>();
  const says = { answer: 'holds' as MemberExplanation['answer'], hasRole: false };
  const guild: { current: SimpleGuild | null } = {
    current: { name: 'Rock Mountain', isPresent: true, nftName: 'Sui Rocks', isSetUp: true },
  };
  const explain = async (userId: string) => {
    const linked = await db.selectFrom('discordWallets').select('wallet').where('userId', '=', userId).execute();
    const owned = [...owners].filter(([, owner]) => owner === userId).map(([wallet]) => wallet);
    return explanationOf(userId, says.answer, [...owned, ...linked.map(({ wallet }) => wallet)]);
  };
  await db
    .insertInto('discordGuilds')
    .values({ guildId, name: 'Rock Mountain', roles: '[]', channels: '[]' })
    .execute();
  const verification = createVerification({
    config: { PUBLIC_URL: 'https://rocks.example', SUI_NETWORK: 'mainnet' },
    productName: 'Sui Rocks',
    sessionSecret: 'a secret of this test, of 32 characters',
    db,
    roles: {
      linkWallet: async ({ wallet, userId }) => {
        const owner = owners.get(wallet);
        if (owner !== undefined) return owner === userId ? 'already-yours' : 'taken-by-another';
        owners.set(wallet, userId);
        return 'linked';
      },
      checkAndExplain: (_guildId, userId) => explain(userId),
      explain: async (_guildId, userId) => ({ ...(await explain(userId)), hasRole: says.hasRole }),
      ...roles,
    },
    guilds: { read: async () => (guild.current === null ? null : knownGuildOf(guild.current)) },
    sui: { verifyPersonalMessage: verify },
    audit: auditTrail,
    clock: systemClock,
    ...(checkWithinMs !== undefined && { checkWithinMs }),
  });
  const call = async (method: Route['method'], path: string, token: string, body?: unknown): Promise<Answer> => {
    const route = verification.routes.find((each) => each.method === method && each.path === path);
    if (route === undefined) throw new Error(`no route ${method} ${path}`);
    const answered = await answerOf(route, { params: { token }, body });
    const { data, code } = answered.body as { data?: Record<string, unknown>; code?: string };
    return { status: answered.status, code, data };
  };
  return {
    database,
    owners,
    says,
    guild,
    linkFor: async (member = gwen): Promise<string> =>
      (await verification.makeLink(member)).url.split('/').at(-1) ?? '',
    makeLink: (member: typeof gwen) => verification.makeLink(member),
    read: (token: string) => call('GET', '/api/verify/{token}', token),
    message: (token: string, wallet: string) => call('POST', '/api/verify/{token}/message', token, { wallet }),
    redeem: (token: string, wallet: string, signature: string) =>
      call('POST', '/api/verify/{token}/signature', token, { wallet, signature }),
    outcome: (token: string, receipt: unknown) => call('POST', '/api/verify/{token}/outcome', token, { receipt }),
    end: () => database.drop(),
  };
}

async function answerOf(
  route: Route,
  given: Parameters<typeof routeRequest>[0],
): Promise<{ status: number; body: unknown }> {
  try {
    return (await askRoute(route, given)) as { status: number; body: unknown };
  } catch (error) {
    return failureAnswerFor(error);
  }
}

/** A node that does not exist: checks that need no chain still work. */
const withoutChain = createSuiClient({ network: 'mainnet', baseUrl: 'http://127.0.0.1:1' });

export const walletOf = (seed: number) => {
  const keypair = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(seed));
  return {
    address: keypair.toSuiAddress(),
    sign: async (message: string) => (await keypair.signPersonalMessage(new TextEncoder().encode(message))).signature,
  };
};
