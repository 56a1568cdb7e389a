import * as z from 'zod/mini';
import { instant, list, orNull, orUnknown, readable, rowId, text, textOrNone } from '../../../ui/api/answer-schema.ts';
import { botServiceReadings } from '../../../ui/bot-service.tsx';
import { discordStatusAnswer, dryRunAnswer, guild, memberName } from '../../contract.ts';
import {
  authorizedWallet,
  memberExplanation as explanation,
  membersAnswer,
  statisticsAnswer,
  unverifiedHoldersAnswer,
} from '../../members-contract.ts';

/** Specification 3 gives no type for ids, and a name may be missing. */
const names = { id: rowId, userId: rowId, name: textOrNone, displayName: textOrNone };

/** GET /api/discord/status, from rulings R5. */
export const discordStatus = readable(discordStatusAnswer, [], botServiceReadings);
export type DiscordStatus = z.output<typeof discordStatus>;

/** GET /api/discord/invite-url. Specification 3: null means offline. */
export const botInfo = z.nullable(z.object({ username: text, id: text, invite_url: text }));
export type BotInfo = NonNullable<z.infer<typeof botInfo>>;

/** Specification 3, community-server guild, with what rulings R5 and R6 add. */
export const discordGuild = readable(guild, ['message'], {
  ...names,
  roleId: textOrNone,
  nftContract: textOrNone,
  nftName: textOrNone,
});
export type DiscordGuild = z.output<typeof discordGuild>;

export const discordGuilds = list(discordGuild);

/** POST /api/discord/guilds/{guildId}/dry-run. */
export const dryRunResult = readable(dryRunAnswer, ['gives', 'takes'], names);
export type DryRunResult = z.output<typeof dryRunResult>;

const statistics = statisticsAnswer;

/** GET /api/discord/guilds/{guildId}/statistics. */
export const guildStatistics = readable(statistics, ['removalCount'], {
  ...names,
  'failedActions.id': orNull(rowId),
  // null: never, or none.
  lastSweep: orUnknown(readable(statistics.shape.lastSweep, ['at', 'checked', 'holding', 'notHolding'])),
  nextSweepAt: orUnknown(instant),
});
export type GuildStatistics = z.output<typeof guildStatistics>;

/** GET /api/discord/guilds/{guildId}/members. */
export const membersPage = readable(membersAnswer, ['members'], {
  ...names,
  answeredAt: orUnknown(instant),
});
export type ListedMember = z.output<typeof membersPage>['members'][number];

/** GET /api/discord/guilds/{guildId}/members/{userId}. */
export const memberExplanation = readable(explanation, ['member', 'wallet'], {
  ...names,
  '.answer': orUnknown(explanation.shape.answer),
  nextCheckAt: orUnknown(instant),
  authorizedUntil: text,
});
export type MemberExplanation = z.output<typeof memberExplanation>;
export type MemberName = MemberExplanation['member'];

/** GET /api/discord/guilds/{guildId}/wallets. */
const shownWallet = readable(authorizedWallet, ['wallet'], {
  ...names,
  reason: textOrNone,
  expiresAt: orUnknown(instant),
  member: orUnknown(readable(memberName, [], names)),
});
export type AuthorizedWallet = z.output<typeof shownWallet>;
export const authorizedWallets = list(shownWallet);

/** GET /api/discord/guilds/{guildId}/unverified-holders. */
export const unverifiedHolders = orNull(readable(unverifiedHoldersAnswer, ['userId', 'displayName']));
