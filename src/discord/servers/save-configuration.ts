import { cleanText } from '../../shared/clean-text.ts';
import { Invalid, Refused, Unavailable } from '../../shared/failure.ts';
import { canonicalType } from '../../shared/sui-address.ts';
import type { GuildStore } from './guild-store.ts';
import type { By, Configuring } from './configuring.ts';
import { goneGuild } from './configuring.ts';
import type { DiscordGuild } from '../contract.ts';
import type { GuildConfig } from './rules/known-guild.ts';
import { nftIn } from './rules/nft-type-refusals.ts';
import type { CollectionWatching, Ownership } from '../ports.ts';
import { type Installation, presentGuild } from './rules/guild-problems.ts';

export interface SaveDeps {
  readonly installation: Installation;
  readonly guilds: Pick<GuildStore, 'read'>;
  readonly configuring: Pick<Configuring, 'save'>;
  readonly ownership: Pick<Ownership, 'readNftType'>;
  readonly watching: Pick<CollectionWatching, 'find' | 'track'>;
  readonly log: { warn(details: object, message: string): void };
}

/** POST /api/discord/configure, as it came. */
export interface WantedConfiguration {
  readonly guildId: string;
  readonly roleId: string;
  readonly channelId?: string | null | undefined;
  readonly nftContract: string;
  readonly nftName: string;
  readonly graceMinutes?: number | undefined;
}

export type Saved =
  | { readonly kind: 'saved'; readonly guild: DiscordGuild }
  /** Someone else saved meanwhile: the current state. */
  | { readonly kind: 'stale'; readonly guild: DiscordGuild };

const nameMax = 100;

/**
 * Specification 5: contract and name from the form, role and channel as given. Problems with role or channel are shown beside the
 * server and do not block the save (rulings R5). Throws Invalid if it is not an NFT type, Unavailable when the chain cannot be asked
 * about it; nothing is saved then.
 */
export async function saveConfiguration(deps: SaveDeps, wanted: WantedConfiguration, by: By): Promise<Saved> {
  const { guilds, configuring } = deps;
  const before = await guilds.read(wanted.guildId);
  if (before?.isPresent !== true) throw goneGuild();
  const nftName = cleanText(wanted.nftName, nameMax);
  if (nftName === '') throw new Invalid('nft-name-required', 'The display name has no visible letter. Type a name.');
  const nftContract = await nftTypeOf(deps, wanted.nftContract, before.config);
  const fields = {
    roleId: wanted.roleId,
    channelId: wanted.channelId === undefined || wanted.channelId === '' ? null : wanted.channelId,
    nftContract,
    nftName,
    graceMinutes: wanted.graceMinutes,
  };
  const trackedId = await trackedIdOf(deps, nftContract);
  const outcome = await configuring.save(wanted.guildId, fields, trackedId, by);
  const after = await guilds.read(wanted.guildId);
  if (after === null) throw goneGuild();
  return { kind: outcome, guild: presentGuild(after, deps.installation) };
}

async function nftTypeOf({ ownership }: SaveDeps, text: string, config: GuildConfig | null): Promise<string> {
  // An unchanged contract is not checked again, so that a name can be changed while the chain is down.
  if (config !== null && canonicalType(text) === config.nftContract) return config.nftContract;
  return nftIn(await ownership.readNftType(text)).nftType;
}

/** null: the marketplace knows none, or cannot be asked now, which is retried later. Holdings come from the chain alone. */
export async function trackedIdOf(
  { watching, log }: Pick<SaveDeps, 'watching' | 'log'>,
  nftType: string,
): Promise<bigint | null> {
  try {
    const found = await watching.find(nftType);
    return found === null ? null : await watching.track(found);
  } catch (error) {
    if (!(error instanceof Unavailable) && !(error instanceof Refused)) throw error;
    log.warn({ err: error, nftType }, 'The marketplace could not be asked for a collection; asking again later');
    return null;
  }
}
