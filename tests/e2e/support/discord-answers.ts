import type { Page } from '@playwright/test';
import type {
  DiscordGuild,
  DiscordStatusAnswer,
  DryRunAnswer,
  InviteUrlAnswer,
} from '../../../src/discord/contract.ts';
import type { MemberExplanation, MembersAnswer, StatisticsAnswer } from '../../../src/discord/members-contract.ts';
import type { AuthorizedWalletsAnswer } from '../../../src/discord/members-contract.ts';
import { answering } from './answers.ts';

/** Answers that fit the contract, for states that a real server reaches only after days. */
const at = '2026-11-20T10:00:00.000Z';
const holderRoleId = '40000001';
const verifyChannelId = '50000001';
export const contract = `0x${'ab'.repeat(32)}::rocks::Nft`;
export const wallet = `0x${'12'.repeat(32)}`;

export const inviteUrl = 'https://discord.com/oauth2/authorize?client_id=20000001&scope=bot';
const invite: InviteUrlAnswer = { username: 'sui-rocks', id: '20000001', invite_url: inviteUrl };

export const status = (more: Partial<DiscordStatusAnswer> = {}): DiscordStatusAnswer => ({
  online: true,
  state: 'active',
  wanted: 'active',
  username: 'sui-rocks',
  id: '20000001',
  since: at,
  lastError: null,
  guildCount: 2,
  ...more,
});

export const config = (more: Partial<NonNullable<DiscordGuild['config']>> = {}) => ({
  roleId: holderRoleId,
  channelId: verifyChannelId,
  nftContract: contract,
  nftName: 'Cave Rocks',
  graceMinutes: 90,
  version: 4,
  ...more,
});

export const guild = (more: Partial<DiscordGuild> = {}): DiscordGuild => ({
  id: '30000001',
  name: 'Cave of Ogg',
  memberCount: 1204,
  config: config(),
  roles: [{ id: holderRoleId, name: 'Rock Holder', canBeGiven: true }],
  channels: [{ id: verifyChannelId, name: 'verify', canPost: true }],
  problems: [],
  verifiedCount: 200,
  hasWaitingRemoval: false,
  ...more,
});

export const unconfigured = (more: Partial<DiscordGuild> = {}): DiscordGuild => {
  const { config: _config, ...rest } = guild({ id: '30000002', name: 'Bare Rock', memberCount: 1, ...more });
  return rest;
};

export const dryRun = (more: Partial<DryRunAnswer> = {}): DryRunAnswer => ({
  hasRole: true,
  nftType: contract,
  foundName: 'Cave Rocks',
  isConfigured: false,
  verifiedCount: 200,
  gives: 41,
  takes: 3,
  keeps: 150,
  losing: 2,
  unknown: 6,
  givesTo: [{ userId: '60000001', displayName: 'Gwen' }],
  takesFrom: [{ userId: '60000002', displayName: 'Ben' }],
  ...more,
});

export const statistics = (more: Partial<StatisticsAnswer> = {}): StatisticsAnswer => ({
  memberCount: 1204,
  verifiedCount: 200,
  roleHolderCount: 151,
  walletCount: 260,
  authorizedWalletCount: 2,
  inDoubtCount: 4,
  pendingRemovalCount: 3,
  unknownCount: 5,
  lastSweep: { at, checked: 200, holding: 150, notHolding: 45, unknown: 5, durationMs: 1_240, failure: null },
  nextSweepAt: null,
  waitingRemoval: null,
  pendingActionCount: 7,
  pauseReason: null,
  failedActionCount: 0,
  failedActions: [],
  ...more,
});

type FailedAction = StatisticsAnswer['failedActions'][number];
export const failedAction = (more: Partial<FailedAction> = {}): FailedAction => ({
  id: '71',
  kind: 'grant-role',
  member: { userId: '60000001', displayName: 'Gwen' },
  failure: 'The role "Rock Holder" is above the bot\'s. Drag the bot\'s role above it.',
  at,
  ...more,
});

type Removal = NonNullable<StatisticsAnswer['waitingRemoval']>;
export const waitingRemoval = (more: Partial<Removal> = {}): Removal => ({
  id: '5',
  createdAt: at,
  removalCount: 41,
  holderCount: 200,
  members: [
    { userId: '60000001', displayName: 'Gwen' },
    { userId: '60000002', displayName: 'Ben' },
  ],
  ...more,
});

type Member = MembersAnswer['members'][number];
export const member = (more: Partial<Member> = {}): Member => ({
  userId: '60000001',
  displayName: 'Gwen',
  isInGuild: true,
  roleState: 'holder',
  hasRole: true,
  walletCount: 2,
  answeredAt: at,
  ...more,
});

export const explanation = (more: Partial<MemberExplanation> = {}): MemberExplanation => ({
  member: { userId: '60000001', displayName: 'Gwen' },
  isInGuild: true,
  roleState: 'grace',
  hasRole: true,
  answer: 'does-not-hold',
  answeredAt: at,
  nextCheckAt: null,
  wantsPayoutMessages: false,
  removalDueAt: null,
  isBotOff: false,
  sentences: ['The role is for those who hold at least 1 rock.', 'No rocks found; looked in the wallet and its kiosk.'],
  wallets: [
    { wallet, linkedAt: at, answer: 'holds', found: '3 rocks: 1 in the wallet, 2 in kiosks', authorizedUntil: null },
  ],
  ...more,
});

type AuthorizedWallet = AuthorizedWalletsAnswer[number];
export const authorized = (more: Partial<AuthorizedWallet> = {}): AuthorizedWallet => ({
  id: '3',
  wallet,
  reason: 'Painter of the cave',
  expiresAt: null,
  isActive: true,
  addedBy: 'ogg',
  addedAt: at,
  removedBy: null,
  removedAt: null,
  member: null,
  ...more,
});

/** The API answers as if the bot were online, in these servers. */
export async function online(page: Page, guilds: readonly DiscordGuild[]): Promise<void> {
  await answering(page, '/api/discord/status', status({ guildCount: guilds.length }));
  await answering(page, '/api/discord/invite-url', invite);
  await answering(page, '/api/discord/guilds', guilds);
  for (const { id } of guilds) await answering(page, `/api/discord/guilds/${id}/unverified-holders`, null);
}

/** The API answers as if the bot were offline. */
export async function offline(page: Page, more: Partial<DiscordStatusAnswer> = {}): Promise<void> {
  const said = status({ online: false, state: 'inactive', wanted: 'inactive', ...more });
  await answering(page, '/api/discord/status', said);
  await answering(page, '/api/discord/invite-url', { message: 'The bot is offline.', code: 'bot-offline' }, 409);
}
