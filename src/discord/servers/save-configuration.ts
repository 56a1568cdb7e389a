import type { z } from 'zod';

import type { Logger } from '../../process/logger.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { Invalid } from '../../shared/failure.ts';
import { canonicalType } from '../../shared/sui-address.ts';
import type { configureBody } from '../contract.ts';
import type { CollectionWatching, Ownership } from '../ports.ts';
import { trackedIdOf } from './collection-watching.ts';
import { type By, type Configuring, goneGuild } from './configuring.ts';
import type { GuildStore } from './guild-store.ts';
import { type Installation, presentGuild } from './rules/guild-problems.ts';
import { nftIn } from './rules/nft-type-refusals.ts';

export interface SaveDeps {
  readonly installation: Installation;
  readonly guilds: Pick<GuildStore, 'read'>;
  readonly configuring: Pick<Configuring, 'save'>;
  readonly ownership: Pick<Ownership, 'readNftType'>;
  readonly watching: Pick<CollectionWatching, 'find' | 'track'>;
  readonly log: Pick<Logger, 'warn'>;
}

const nameMax = 100;

/**
 * Specification 5: contract and name from the form, role and channel as given. Problems with role or channel are shown beside the
 * server and do not block the save (rulings R5). 'stale': someone else saved meanwhile; the server is as they left it. Throws Invalid if it
 * is not an NFT type, Unavailable when the chain cannot be asked about it; nothing is saved then.
 */
export async function saveConfiguration(deps: SaveDeps, wanted: z.infer<typeof configureBody>, by: By) {
  const { guilds, ownership, configuring } = deps;
  const { guildId, roleId, channelId, graceMinutes } = wanted;
  const before = await guilds.read(guildId);
  if (before?.isPresent !== true) throw goneGuild();
  const nftName = cleanText(wanted.nftName, nameMax);
  if (nftName === '') throw new Invalid('nft-name-required', 'The display name has no visible letter. Type a name.');
  // An unchanged contract is not checked again, so that a name can be changed while the chain is down.
  const known = before.config?.nftContract;
  const nftContract =
    canonicalType(wanted.nftContract) === known
      ? known
      : nftIn(await ownership.readNftType(wanted.nftContract)).nftType;
  const fields = { roleId, channelId: channelId || null, nftContract, nftName, graceMinutes };
  const kind = await configuring.save(guildId, fields, await trackedIdOf(deps, nftContract), by);
  const after = await guilds.read(guildId);
  if (after === null) throw goneGuild();
  return { kind, guild: presentGuild(after, deps.installation) };
}
