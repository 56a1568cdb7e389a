import { ApiError } from '../../../ui/api/api-client.ts';
import type { ShownFields } from '../../../ui/api/versioned-change.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { channelInWords, graceInWords, roleInWords } from './discord-words.ts';

/** The fields of the Configure Server dialog, as typed; the grace period in minutes. */
export type ConfigureForm = Readonly<Record<'nftContract' | 'nftName' | 'grace', string>>;
export type FieldProblems = Readonly<Partial<Record<keyof ConfigureForm, string>>>;

/** Specification 3: the default NFT settings of a guild. */
const defaultName = 'Sui Rocks';
/** Thirty days. */
const graceMinutesMax = 43_200;

/** A server that is not configured has none. null: not known. */
const graceOf = ({ config }: DiscordGuild): number | null => (config === null ? 0 : config.graceMinutes);

/** Specification 2: pre-filled from the guild's existing config, else from the defaults. */
export const prefilled = (guild: DiscordGuild, collectionType: string): ConfigureForm => ({
  nftContract: guild.config?.nftContract || collectionType,
  nftName: guild.config?.nftName || defaultName,
  grace: String(graceOf(guild) ?? ''),
});

/** null: not a number of minutes that can be saved. Empty is none. */
export function graceMinutesIn(grace: string): number | null {
  const text = grace.trim();
  if (text === '') return 0;
  const minutes = /^\d{1,9}$/.test(text) ? Number(text) : Infinity;
  return minutes > graceMinutesMax ? null : minutes;
}

/** The server's refusals of a contract, for a save and a dry run. */
const contractRefusals: ReadonlySet<string> = new Set(['nft-contract-missing', 'nft-contract-malformed', 'not-an-nft']);
export const isContractRefusal = (error: unknown): boolean =>
  error instanceof ApiError && contractRefusals.has(error.code ?? '');

const shownWhole = 24;

/** '::rocks::Nft': the end that distinguishes two long contracts and that the field cuts off. null: it is short, or has no such end. */
export function endOfContract(contract: string): string | null {
  const [, end] = /^0x[0-9a-f]+(::.+)$/i.exec(contract) ?? [];
  return contract.length <= shownWhole || end === undefined ? null : end;
}

/** Specification 5: contract and name from the form, falling back to the existing config. */
export const contractOf = ({ nftContract }: ConfigureForm, { config }: DiscordGuild): string =>
  nftContract.trim() || (config?.nftContract ?? '');
const nameOf = ({ nftName }: ConfigureForm, { config }: DiscordGuild): string =>
  nftName.trim() || (config?.nftName ?? '');

/** A server without a configuration has version 0, if the answer has versions at all. */
export const versionOf = ({ config, roles }: DiscordGuild): number | null =>
  config === null ? (roles === null ? null : 0) : config.version;

/**
 * POST /api/discord/configure (specification 5 and 7): role and channel come from the existing config, the role defaulting to an
 * empty string. `from` is the newest version that the admin has seen, so that a save of the contract undoes no /setup.
 */
export function bodyOf(form: ConfigureForm, from: DiscordGuild) {
  const graceMinutes = graceMinutesIn(form.grace);
  const saved = graceOf(from);
  const isLeft = saved === null && form.grace.trim() === '';
  return {
    guildId: from.id,
    roleId: from.config?.roleId ?? '',
    channelId: from.config?.channelId ?? undefined,
    nftContract: contractOf(form, from),
    nftName: nameOf(form, from),
    ...(graceMinutes !== null && graceMinutes !== saved && !isLeft ? { graceMinutes } : {}),
  };
}

export const problemsOf = (form: ConfigureForm, guild: DiscordGuild): FieldProblems => ({
  ...(contractOf(form, guild) === '' ? { nftContract: 'Required' } : {}),
  ...(nameOf(form, guild) === '' ? { nftName: 'Required' } : {}),
  ...(graceMinutesIn(form.grace) === null ? { grace: 'Enter whole minutes from 0 to 43,200 (30 days).' } : {}),
});

const shownFields = (guild: DiscordGuild): ShownFields => ({
  'NFT contract': guild.config?.nftContract ?? '',
  'Display name': guild.config?.nftName ?? '',
  'Grace period': typeof guild.config?.graceMinutes === 'number' ? graceInWords(guild.config.graceMinutes) : '',
  Role: guild.config === null ? '' : roleInWords(guild).text,
  Channel: guild.config === null ? '' : channelInWords(guild).text,
});

/** Rulings R6: both versions, for a save that another one preceded; of what is typed only what would change. */
export function versionsOf(form: ConfigureForm, before: DiscordGuild, now: DiscordGuild) {
  const saved = shownFields(now);
  const mine = {
    'NFT contract': contractOf(form, now),
    'Display name': nameOf(form, now),
    'Grace period': graceInWords(graceMinutesIn(form.grace) ?? 0),
  };
  const yours = Object.fromEntries(Object.entries(mine).filter(([field, text]) => text !== saved[field]));
  return { yours, before: shownFields(before), now: saved };
}
