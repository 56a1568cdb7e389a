import type { PaidPayout } from '../payouts/payouts-contract.ts';
import { shortAddress } from '../shared/sui-address.ts';
import type { MemberExplanation } from './members-contract.ts';
import { timeText, unlinkedEffect } from './roles/rules/explanation.ts';

/** Discord's maximum is 2,000 characters; this leaves room for an ending. */
const messageMax = 1_900;

/** Discord shows it to each reader in their own language: '5 minutes ago'. */
const timeForReader = (at: Date, form: 'R' | 'f' = 'R'): string => `<t:${Math.floor(at.getTime() / 1_000)}:${form}>`;

/** As many whole lines as fit into a message, and always the few `last` ones. */
export function linesWithin(lines: readonly string[], last: readonly string[] = []): string {
  const kept: string[] = [];
  let length = last.join('\n').length;
  for (const line of lines) {
    length += line.length + 1;
    if (length > messageMax) return [...kept, '…', ...last].join('\n');
    kept.push(line);
  }
  return [...kept, ...last].join('\n');
}

/** Names no collection: a posted panel does not change when an admin saves another one. */
export const panelText = linesWithin([
  '**Verify that you hold the NFTs of this server**',
  'Press the button to get your own link, connect your Sui wallet there and sign a message. It is not a transaction: it moves nothing and costs nothing.',
  'This bot never asks for a seed phrase, and messages you first only before a role ends, or about a payout if you asked it to.',
]);

/** `hasRole`: the server has a role to give. */
export const verifyText = (publicUrl: string, expiresAt: Date, hasRole: boolean): string =>
  linesWithin([
    `Your link expires ${timeForReader(expiresAt)} and works once, for you alone. Check that it begins with \`${publicUrl}/verify/\` before you sign.`,
    'You sign a message, not a transaction.',
    ...(hasRole
      ? []
      : [
          'No role can be given until someone with Manage Server chooses one with /setup. Wallets you link now will count.',
        ]),
  ]);

export const notSetUpText =
  'This server is not set up yet. Someone with Manage Server can use /setup with the holder role and a channel.';

export const helpText = (
  publicUrl: string,
  commands: readonly { readonly name: string; readonly description: string }[],
): string =>
  linesWithin([
    'This bot gives a role to members who hold the NFTs of this server. Pieces in your wallet, in your kiosks and listed for sale all count.',
    '',
    ...commands.map(({ name, description }) => `**/${name}** ${description}`),
    '',
    'It keeps your Discord id and name, the wallets you link, what was found in them, and whether you want payout messages. /wallets shows and deletes all that.',
    `Verification happens only at ${publicUrl}. A role ends only after two checks, at least ten minutes apart, that found nothing.`,
  ]);

export const noWalletsText = 'You have not linked a wallet in this server. Use /verify to link one.';

/** For a wallet without pieces to show. */
const unfoundWords = {
  holds: 'checked',
  'does-not-hold': 'nothing found in it',
  unknown: 'could not be read now',
  'not-yet': 'not checked yet',
} as const;

/** With more wallets than this, a message has no room for the links and times of all of them. */
const walletsInFullMax = 8;

/** Each wallet leads to its rocks. The address is ours, so it may be a link. */
export function walletsText(
  { wallets, wantsPayoutMessages }: Pick<MemberExplanation, 'wallets' | 'wantsPayoutMessages'>,
  publicUrl: string,
  news: readonly string[] = [],
): string {
  const lines = [
    ...news,
    `**Your wallets in this server (${wallets.length})**`,
    `A direct message when a payout pays one of them: ${wantsPayoutMessages ? 'on' : 'off'}. Payouts are discretionary and not guaranteed.`,
    ...wallets.map(({ wallet, linkedAt, answer, found, authorizedUntil }) => {
      const name = `\`${shortAddress(wallet)}\``;
      const inFull = `[${name}](${publicUrl}/holders/${wallet}), linked ${timeForReader(new Date(linkedAt))}`;
      const linked = wallets.length > walletsInFullMax ? name : inFull;
      const authorized = authorizedUntil === null ? '' : ' Authorized by the team.';
      return `${linked}: ${found === null ? unfoundWords[answer ?? 'not-yet'] : forDiscord(found)}.${authorized}`;
    }),
  ];
  return linesWithin(lines, [
    '',
    'The pieces in an unlinked wallet no longer count. The team and this bot can see these addresses; other members cannot.',
  ]);
}

export const unlinkedText = (wallet: string, left: Parameters<typeof unlinkedEffect>[0]): string =>
  [`Unlinked \`${shortAddress(wallet)}\`: it no longer counts.`, ...unlinkedEffect(left)].join(' ');

/** With many wallets some are left out, but never the conclusion. */
export function whyText({ sentences, wallets, answeredAt, nextCheckAt }: MemberExplanation): string {
  const [rule, ...rest] = sentences.map(forDiscord);
  const lines = [...(rule === undefined ? [] : [rule]), ...rest.slice(0, wallets.length)];
  return linesWithin(lines, [
    ...rest.slice(wallets.length),
    ...(answeredAt === null ? [] : [`Last checked: ${timeForReader(new Date(answeredAt))}.`]),
    ...(nextCheckAt === null ? [] : [`Next check: ${timeForReader(new Date(nextCheckAt))}.`]),
  ]);
}

interface GuildFigures {
  readonly memberCount: number | null;
  readonly verifiedCount: number;
  readonly roleHolderCount: number;
  readonly walletCount: number;
  readonly lastSweepAt: Date | null;
  /** `failure`: a stable code. */
  readonly lastSweep: { readonly checked: number; readonly failure: string | null } | null;
}

/** A sweep that could not read anyone does not count as a check. */
function lastSweepText({ lastSweepAt: at, lastSweep }: GuildFigures): string {
  if (at === null) return 'All members last checked: not yet';
  return lastSweep?.checked === 0 && lastSweep.failure !== null
    ? `No member could be checked ${timeForReader(at)}. The bot will try again.`
    : `All members last checked: ${timeForReader(at)}`;
}

export const statsText = (nftName: string | null, figures: GuildFigures): string =>
  linesWithin([
    nftName === null ? notSetUpText : `**${forDiscord(nftName)}**`,
    `Members: ${figures.memberCount ?? 'not known'}`,
    `Verified: ${figures.verifiedCount}`,
    `Verified and with the holder role: ${figures.roleHolderCount}`,
    `Wallets linked: ${figures.walletCount}`,
    lastSweepText(figures),
  ]);

export const confirmDeletionText = linesWithin([
  '**Delete your data in this server?**',
  'The bot removes any role that you have as a holder at once, your wallets are unlinked, and what was found in them is deleted. The team’s log of changes still says that a member linked and deleted wallets, but not who or which. It keeps your name on what you did as an admin of this server, such as /setup. Wallets that the team authorized itself stay on its list. You can verify again at any time.',
]);

export const deletedText =
  'Done: your wallets and what was found in them are deleted for this server, and the bot removes any role that you had as a holder, as soon as Discord lets it. The team’s log of changes no longer names you or your wallets, except for what you did as an admin of this server.';
export const keptText = 'Nothing was deleted.';

export const setUpText = ({
  roleId,
  channelId,
  nftName,
  leftRoleId,
}: {
  readonly roleId: string;
  readonly channelId: string;
  readonly nftName: string;
  /** The previous role, if it is a different one and still exists (decision 0019); null: none. */
  readonly leftRoleId: string | null;
}): string =>
  linesWithin([
    `Set up: verified holders of ${forDiscord(nftName)} get <@&${roleId}>, and the verify panel is in <#${channelId}>.`,
    ...(leftRoleId === null
      ? []
      : [`Members keep <@&${leftRoleId}>, but the bot no longer manages it. Remove it in Discord if need be.`]),
    'Another collection can be chosen in the dashboard (Discord Bot → Servers → Configure).',
  ]);

export const onlyManagersText = 'Only members with Manage Server can use /setup.';
export const notTheirsToGiveText = (roleId: string): string =>
  `Nothing was changed: you cannot give <@&${roleId}> yourself, so you cannot choose it here. Ask the owner, or someone with Manage Roles whose highest role is above it, to use /setup.`;
export const onlyInServersText = 'Use this in a server where the bot is a member.';
export const unknownCommandText = 'This command no longer works. Use /help to see those that do.';
export const unknownButtonText = 'This button is from an older message and no longer works. Use the command again.';
export const brokenText = 'Something went wrong on our side. Try again in a minute.';
export const unavailableText =
  'The Sui network or the marketplace does not answer right now. Nothing was changed; try again in a minute.';

interface PaidMessage {
  readonly payout: Pick<PaidPayout, 'title' | 'url'>;
  readonly paid: PaidPayout['paid'];
  /** How many of their other wallets this payout has not paid yet. */
  readonly openCount: number;
  readonly guildName: string;
}

/** The direct message to a member who asked for it: which wallet received what. Title and symbol may be foreign text. */
export const paidText = ({ payout, paid, openCount, guildName }: PaidMessage): string =>
  linesWithin(
    [
      `**You were paid: ${forDiscord(payout.title)}**`,
      ...paid.map(({ address, amount, rocks, at, transactionUrl }) => {
        const what = `${forDiscord(amount)} for ${rocks} ${rocks === 1 ? 'rock' : 'rocks'}`;
        return `\`${shortAddress(address)}\`: ${what}, ${timeForReader(at, 'f')} ([transaction](${transactionUrl}))`;
      }),
      ...(openCount === 0
        ? []
        : [
            `${openCount} of your other wallets ${openCount === 1 ? 'is' : 'are'} not paid yet: see the payout’s page.`,
          ]),
    ],
    [
      `[The whole payout](${payout.url})`,
      `You asked for this message in ${forDiscord(guildName)}. /wallets there switches it off.`,
    ],
  );

const marks = /[\\*_~`|>#[\]()<@-]/g;

/** Escapes foreign text for our messages (rulings R5): no markdown, links or mentions. */
export const forDiscord = (text: string): string =>
  text.replace(marks, (mark) => `\\${mark}`).replaceAll('://', ':\u200B//');

const isAddress = (line: string): boolean => /^https?:\/\/\S+$/.test(line);

/** Text to be read as it was written. An address that is a line by itself is ours, and stays a link. */
export const plainForDiscord = (text: string): string =>
  linesWithin(text.split('\n').map((line) => (isAddress(line) ? line : forDiscord(line))));

interface Notice {
  /** Cleaned, not escaped. */
  readonly guildName: string;
  readonly roleName: string | null;
  readonly nouns: { readonly one: string; readonly many: string };
  readonly endsAt: Date | null;
}

/** Rulings R5: what happened, until when, what to do. Sent before the role ends. */
export function removalNotice({ guildName, roleName, nouns, endsAt }: Notice): string {
  const role = roleName === null ? 'your holder role' : `your role "${forDiscord(roleName)}"`;
  const guild = forDiscord(guildName);
  const end = endsAt === null ? 'ends now' : `ends at ${timeText(endsAt)}`;
  const noun = forDiscord(nouns.many);
  return [
    `In ${guild}, ${role} ${end}: two checks, at least ten minutes apart, found no ${noun} in the wallets you linked.`,
    'The wallets themselves, their kiosks and the marketplace were checked.',
    '',
    `To keep the role or get it back: use /why in the server to see what was found, get ${forDiscord(`a ${nouns.one}`)}, or link another wallet with /verify. The role then comes back by itself.`,
  ].join('\n');
}

/** The reason in Discord's audit log for a role change. At most 512 characters. */
export const auditReason = (kind: 'grant-role' | 'remove-role', cause: string): string =>
  kind === 'grant-role' ? `Holds the collection (${cause})` : (removalReasons[cause] ?? `No longer holds (${cause})`);

const removalReasons: Readonly<Record<string, string>> = {
  'data-deleted': 'Asked to have their data deleted',
  approved: 'No longer holds; approved by an admin',
};
