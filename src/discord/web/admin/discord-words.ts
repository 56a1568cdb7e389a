import { foreignText } from '../../../shared/foreign-text.ts';
import { durationInWords } from '../../../ui/age-in-words.ts';
import { counted } from '../../../ui/decimal-text.ts';
import type { DiscordGuild, GuildStatistics, MemberExplanation, MemberName } from './discord-answers.ts';

/** Untrusted names (rulings R3), safe to print: one line, no direction tricks, cut. */
export const shownServer = ({ name }: Pick<DiscordGuild, 'name'>): string => foreignText(name, 60);

/** Members without a name are shown by id. */
export const shownMember = ({ displayName, userId }: MemberName): string =>
  displayName.trim() === '' ? userId : foreignText(displayName, 40);

/** Specification 3 and rulings R5: a server with an NFT contract is configured. */
export const isConfigured = ({ config }: Pick<DiscordGuild, 'config'>): boolean =>
  config !== null && config.nftContract !== '';

export interface NamedPlace {
  readonly text: string;
  /** It was chosen and is gone, or the bot cannot use it. */
  readonly inTrouble: boolean;
}

const noneYet = 'None yet. Use /setup in the server to choose one.';

interface Place {
  readonly id: string;
  readonly name: string;
  /** false: the bot cannot use it. null: not known. */
  readonly canUse: boolean | null;
}

/** A role or channel by name; 'Deleted' when it is gone (rulings R5). `places`: null, not known. */
function placeInWords(chosenId: string, places: readonly Place[] | null, sign: string, unusable: string): NamedPlace {
  if (places === null) return { text: `ID ${chosenId}`, inTrouble: false };
  const place = places.find(({ id }) => id === chosenId);
  if (place === undefined) return { text: `Deleted (ID ${chosenId})`, inTrouble: true };
  const name = `${sign}${foreignText(place.name, 100)}`;
  return place.canUse === false ? { text: `${name} (${unusable})`, inTrouble: true } : { text: name, inTrouble: false };
}

export function roleInWords({ config, roles }: Pick<DiscordGuild, 'config' | 'roles'>): NamedPlace {
  if (config === null || config.roleId === '') return { text: noneYet, inTrouble: config !== null };
  const places = roles?.map((role) => ({ ...role, canUse: role.canBeGiven })) ?? null;
  return placeInWords(config.roleId, places, '', 'the bot cannot give it');
}

export function channelInWords({ config, channels }: Pick<DiscordGuild, 'config' | 'channels'>): NamedPlace {
  const channelId = config?.channelId ?? '';
  if (channelId === '') return { text: noneYet, inTrouble: false };
  const places = channels?.map((channel) => ({ ...channel, canUse: channel.canPost })) ?? null;
  return placeInWords(channelId, places, '#', 'the bot cannot post there');
}

/** '1 day 12 hours': the time between the direct message and the removal. */
export function graceInWords(graceMinutes: number): string {
  if (graceMinutes === 0) return 'None: the role ends with the second check';
  const parts = [
    [Math.floor(graceMinutes / 1_440), 'day'],
    [Math.floor((graceMinutes % 1_440) / 60), 'hour'],
    [graceMinutes % 60, 'minute'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : counted(count, unit))).join(' ');
}

/** A member's state (rulings R5). */
const roleStates = {
  none: { word: 'Not a holder', tone: 'quiet' },
  holder: { word: 'Holder', tone: 'live' },
  doubt: { word: 'Second check due', tone: 'stale' },
  grace: { word: 'Role ends soon', tone: 'stale' },
  braked: { word: 'Awaiting approval', tone: 'torch' },
  kept: { word: 'Kept by an admin', tone: 'estimated' },
  unknown: { word: 'Not known', tone: 'quiet' },
} as const;

export const roleStateInWords = (roleState: MemberExplanation['roleState']) => roleStates[roleState ?? 'unknown'];

/** What follows for the role when one of the member's wallets is unlinked. */
export function unlinkEffectInWords(roleState: MemberExplanation['roleState'], walletCount: number): string {
  if (roleState === 'none') return 'They are not a holder now, so no role ends.';
  if (roleState === 'braked') return 'Their removal waits for approval: the role stays until an admin decides.';
  if (roleState === 'kept' && walletCount > 1) return 'The role stays, as an admin decided.';
  return 'Unless another of their wallets holds a piece, the role ends after a second check ten minutes later and the grace period. Linking another wallet in time keeps it.';
}

/** As last reported by Discord. */
export const roleWords = (hasRole: boolean | null): string =>
  hasRole === null ? 'Not known yet' : hasRole ? 'Assigned' : 'Not assigned';

const answers = {
  holds: { word: 'Holds', tone: 'live' },
  'does-not-hold': { word: 'Does not hold', tone: 'quiet' },
  unknown: { word: 'Could not be read', tone: 'stale' },
  none: { word: 'Not checked yet', tone: 'quiet' },
} as const;

/** Rulings R5: the check has three answers. null: there is none yet. */
export const answerWords = (answer: NonNullable<MemberExplanation['answer']> | null) => answers[answer ?? 'none'];

type Action = NonNullable<GuildStatistics['failedActions']>[number];

const actions = {
  'grant-role': 'Give the role',
  'remove-role': 'Remove the role',
  unknown: 'Action',
} as const;

export const actionInWords = (kind: Action['kind']): string => actions[kind ?? 'unknown'];

/** A stable code of ours as words: 'data-deleted' as 'data deleted'. */
export const codeInWords = (code: string): string => code.replaceAll('-', ' ');

type Sweep = NonNullable<GuildStatistics['lastSweep']>;

function tookInWords(durationMs: number | null): string {
  if (durationMs === null) return '';
  return durationMs < 10_000
    ? ` in ${(durationMs / 1_000).toFixed(1)} s`
    : ` in ${durationInWords(Math.round(durationMs / 1_000))}`;
}

/** '200 checked in 1.2 s: 150 hold, 45 do not, 5 could not be read'. */
export function sweepInWords({ checked, holding, notHolding, unknown, durationMs }: Sweep): string {
  const unread = unknown === null || unknown === 0 ? null : `${unknown} could not be read`;
  if (checked === 0) return unread ?? 'nobody to check';
  const parts = [
    `${holding} ${holding === 1 ? 'holds' : 'hold'}`,
    `${notHolding} ${notHolding === 1 ? 'does' : 'do'} not`,
    ...(unread === null ? [] : [unread]),
  ].join(', ');
  return `${checked} checked${tookInWords(durationMs)}: ${parts}`;
}
