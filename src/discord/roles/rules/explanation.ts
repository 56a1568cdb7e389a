import { shortAddress } from '../../../shared/sui-address.ts';
import { type MemberRecord, secondCheckAfterMs } from './decide.ts';
import { isConfigurationProblem, type PieceCounts, type WalletFinding } from './findings.ts';

/** `given`: the bot gave it and has not removed it since. */
export type RoleChange = 'being-given' | 'given' | null;

/** What the sentences about a member are made from; admins read the same ones. Names are cleaned, not escaped: the caller escapes. */
export interface ExplainedMember extends Pick<
  MemberRecord,
  'guildId' | 'isInGuild' | 'roleState' | 'hasRole' | 'answer' | 'firstNoAt' | 'removalDueAt' | 'checkDueAt' | 'now'
> {
  readonly guild: Pick<MemberRecord['guild'], 'nftName' | 'roleId' | 'roleName'>;
  readonly wallets: readonly ExplainedWallet[];
  /** What the pieces of the server's collection are called. */
  readonly nouns: PieceNouns;
  /** The state of the role's last change, if it was this role. */
  readonly roleChange: RoleChange;
  /** Why Discord refused the last change of the role. */
  readonly roleFailure: string | null;
  readonly recheckIntervalMs: number;
  /** Shut down by an admin. */
  readonly isBotOff: boolean;
}

interface ExplainedWallet extends Pick<MemberRecord['wallets'][number], 'wallet' | 'authorizedUntil'> {
  readonly finding: WalletFinding | null;
}

/** Pieces of the product's own collection are 'rocks', those of any other 'pieces of {name}'. `nftName` is cleaned text. */
export const nounsFor = (nftName: string, isOwnCollection: boolean) =>
  isOwnCollection ? { one: 'rock', many: 'rocks' } : { one: `piece of ${nftName}`, many: `pieces of ${nftName}` };

type PieceNouns = ReturnType<typeof nounsFor>;

/** '3 rocks: 1 in your wallet, 2 in kiosks, 1 of them listed' (rulings R5). */
export function foundText(pieces: PieceCounts, nouns: PieceNouns): string {
  const { inWallet, inKiosks, kiosks, atMarketplace, listed } = pieces;
  const total = inWallet + inKiosks + atMarketplace;
  const places: readonly (readonly [number, string])[] = [
    [inWallet, 'in your wallet'],
    [inKiosks, kiosks === 1 ? 'in a kiosk' : 'in kiosks'],
    [atMarketplace, 'handed to a marketplace'],
  ];
  const parts = places.flatMap(([count, place]) => (count === 0 ? [] : [`${count} ${place}`]));
  const listedPart = total === 1 ? 'listed' : `${listed} of them listed`;
  return `${total} ${total === 1 ? nouns.one : nouns.many}: ${[...parts, ...(listed === 0 ? [] : [listedPart])].join(', ')}`;
}

/** The rule, what was found, what follows: one sentence each, in that order. Plain English, no blame. */
export function explain(member: ExplainedMember): readonly string[] {
  const { nftName } = member.guild;
  if (nftName === null) return ['This server is not set up yet: an admin has to choose an NFT contract first.'];
  const found = member.wallets.map((wallet) => walletSentence(wallet, member));
  return [ruleOf(member, nftName), ...(found.length === 0 ? [noWallet] : found), ...follows(member)];
}

/** The chosen role was deleted in Discord. @everyone has the server's id, and is not among the roles that can be given. */
const isRoleGone = ({ guildId, guild: { roleId, roleName } }: ExplainedMember): boolean =>
  roleId !== '' && roleId !== guildId && roleName === null;

const ruleOf = (member: ExplainedMember, nftName: string): string => {
  const { roleId, roleName } = member.guild;
  if (isRoleGone(member))
    return `The role for holders of ${nftName} is gone: it was deleted in Discord, so nobody has it. Someone with Manage Server must choose another with /setup.`;
  if (roleId === '') return `${nftName} is what counts here, but no role is chosen yet: an admin sets one with /setup.`;
  const role = roleName === null ? 'The role' : `The role "${roleName}"`;
  return `${role} is for those who hold at least 1 ${member.nouns.one} in any linked wallet; one in a kiosk or for sale counts too.`;
};

const noWallet = 'You have not linked a wallet yet: use /verify.';

function walletSentence({ wallet, finding, authorizedUntil }: ExplainedWallet, member: ExplainedMember): string {
  const found = `${shortAddress(wallet)}: ${findingText(finding, member)}.`;
  if (authorizedUntil === null) return found;
  const until = authorizedUntil === 'always' ? '' : ` until ${timeText(authorizedUntil)}`;
  return `${found} The team authorized it${until}: that counts as holding.`;
}

function findingText(finding: WalletFinding | null, { nouns }: ExplainedMember): string {
  if (finding === null) return 'not checked yet';
  if (finding.answer === 'unknown') return unknownText(finding);
  if (finding.pieces !== null) return foundText(finding.pieces, nouns);
  return `no ${nouns.many} found; checked in your wallet, ${kioskPlace(finding.kioskCount)} and at the marketplace`;
}

/** Mentions kiosks even if there are none: the kiosk a member has in mind may be someone else's. */
function kioskPlace(kioskCount: number | null): string {
  if (kioskCount === null) return 'in kiosks';
  if (kioskCount === 0) return 'in kiosks (you have none)';
  return kioskCount === 1 ? 'in its kiosk' : `in its ${kioskCount} kiosks`;
}

/** Not an outage: the wallet cannot be read until its owner changes this. */
const isTooMuch = (reason: string | null): boolean => reason === 'too-many-kiosks' || reason === 'too-many-objects';

/** What is missing and how to fix it is shown beside the server in the dashboard (guild-problems.ts). */
function unknownText({ reason }: WalletFinding): string {
  if (isTooMuch(reason))
    return 'too many kiosks, or too much in them, to check, so nothing was changed; a piece in the wallet itself is still found, and the team can authorize the wallet';
  return isConfigurationProblem(reason)
    ? 'could not be checked completely, because the team has to finish the setup first; nothing was changed'
    : 'could not be read now, so nothing was changed; it is checked again automatically';
}

function follows(member: ExplainedMember): readonly string[] {
  if (!member.isInGuild) return ['Nothing is checked while you are not in the server.'];
  if (member.guild.roleId === '') return [];
  if (isRoleGone(member))
    return member.roleState === 'holder' ? ['You get the new role as soon as one is chosen.'] : [];
  const next = member.isBotOff ? botOffSentence(member) : nextSentence(member);
  const failure = member.roleFailure === null ? [] : [`The last role change failed: ${member.roleFailure}`];
  return next === null ? failure : [next, ...failure];
}

const botOffSentence = ({ answer, hasRole }: ExplainedMember): string =>
  answer === 'holds' && hasRole !== true
    ? 'The bot is shut down: the role comes when it runs again.'
    : 'The bot is shut down: no role is given or removed until it runs again.';

const brakedSentence = 'Many roles would have ended at once, so an admin decides first. The role stays until then.';
const keptSentence = 'An admin decided that the role stays.';

function nextSentence(member: ExplainedMember): string | null {
  switch (member.roleState) {
    case 'holder':
      return holderSentence(member);
    case 'doubt':
      return doubtSentence(member);
    case 'grace':
      return graceSentence(member);
    case 'braked':
      return brakedSentence;
    case 'kept':
      return member.hasRole === false ? notHoldingSentence(member) : keptSentence;
    case 'none':
      return notHoldingSentence(member);
    default:
      return member.roleState satisfies never;
  }
}

function notHoldingSentence({ hasRole, answer, wallets, nouns, recheckIntervalMs }: ExplainedMember): string | null {
  if (answer !== 'does-not-hold') return null;
  if (hasRole === true) return 'Someone else gave the role, so the bot leaves it alone.';
  // The sentence before this says that a wallet must be linked first.
  return wallets.length === 0
    ? null
    : `You get the role with your first ${nouns.one}, within ${intervalText(recheckIntervalMs)}; /why checks at once.`;
}

/** What follows from unlinking a wallet, for a member with those that are left. */
export function unlinkedEffect({
  roleState,
  hasRole,
  wallets,
}: Pick<MemberRecord, 'roleState' | 'hasRole'> & { readonly wallets: readonly unknown[] }): readonly string[] {
  if (roleState === 'none') return [];
  if (roleState === 'braked') return [brakedSentence];
  if (roleState === 'kept' && wallets.length > 0) return hasRole === false ? [] : [keptSentence];
  return [
    'If none of your other wallets holds a piece, you lose the role after a second check in ten minutes and the server’s grace period, if there is one. To keep it, link a wallet that holds one.',
  ];
}

function holderSentence(member: ExplainedMember): string | null {
  const { wallets, hasRole, roleChange, roleFailure } = member;
  if (wallets.length === 0) return hasRole === false ? null : unlinkedSentence;
  if (hasRole === true) return 'The role is given.';
  if (roleChange === 'being-given') return 'The role is on its way.';
  // The next sentence says that it could not be given.
  if (roleFailure !== null) return null;
  const when = `with the next check, ${nextCheckText(member)}`;
  return hasRole === false && roleChange === 'given'
    ? `Someone in the server removed the role by hand: the bot gives it back ${when}.`
    : `The role is given ${when}.`;
}

const unlinkedSentence =
  'You still have the role. It ends unless you link a wallet with a piece before the next two checks, at least ten minutes apart.';

const nextCheckText = ({ checkDueAt, now, recheckIntervalMs }: ExplainedMember): string => {
  if (checkDueAt === null) return `in ${intervalText(recheckIntervalMs)} at the latest`;
  return checkDueAt > now ? `at ${timeText(checkDueAt)}` : 'any moment now';
};

/** Unreadable wallets are retried often: the time of the next retry is not that of the second check. */
function doubtSentence({ answer, firstNoAt, now }: ExplainedMember): string {
  const soonestAt = new Date((firstNoAt ?? now).getTime() + secondCheckAfterMs);
  const isAhead = soonestAt > now;
  if (answer === 'unknown') {
    const notBefore = isAhead ? ` and not before ${timeText(soonestAt)}` : '';
    return `The role stays for now. It ends only if a second check, as soon as the wallets can be read again${notBefore}, finds nothing either.`;
  }
  return `The role stays for now. It ends only if a second check (${isAhead ? timeText(soonestAt) : 'any moment now'}) finds nothing either.`;
}

function graceSentence({ answer, removalDueAt, now }: ExplainedMember): string {
  const found = 'Two checks found nothing';
  const endsAt = removalDueAt !== null && removalDueAt > now ? timeText(removalDueAt) : null;
  if (answer === 'unknown') {
    const notBefore = endsAt === null ? '' : ` and not before ${endsAt}`;
    return `${found}, but now the wallets cannot be read: the role stays until they can be${notBefore}, and ends only if another check finds nothing either.`;
  }
  return endsAt === null
    ? `${found}, so the role ends soon, unless a piece is found first.`
    : `${found}: the role ends at ${endsAt}, unless a piece is found first.`;
}

const minuteMs = 60_000;

/** 'an hour', '90 minutes', '6 hours', '30 seconds'. */
function intervalText(ms: number): string {
  if (ms < minuteMs) return counted(Math.ceil(ms / 1_000), 'a second', 'seconds');
  const minutes = Math.ceil(ms / minuteMs);
  return minutes % 60 === 0 ? counted(minutes / 60, 'an hour', 'hours') : counted(minutes, 'a minute', 'minutes');
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`);

/** `2026-11-20 12:34 UTC`. */
export const timeText = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Rulings R5: a direct message comes before the removal. Members whom it did not reach read that in /why. It is not listed as a failure,
 * since an admin could not fix it.
 */
export function undeliveredNotice({
  roleState,
  answer,
  noticeFailure,
}: Pick<MemberRecord, 'roleState' | 'answer'> & { readonly noticeFailure: string | null }): readonly string[] {
  const isAboutNow = roleState === 'grace' || (roleState === 'none' && answer === 'does-not-hold');
  if (!isAboutNow || noticeFailure === null) return [];
  const undelivered = 'The direct message about losing the role did not reach you';
  return [
    noticeFailure === 'direct-messages-closed'
      ? `${undelivered}: your Discord does not accept it.`
      : `${undelivered}: Discord could not deliver it.`,
  ];
}
