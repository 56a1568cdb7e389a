import { addressFrom, uuidFrom } from '../world/derived-ids.ts';
import { rockMaxSupply } from '../world/rocks.ts';
import type { Collection, FloorRule } from '../world/state.ts';
import { canonicalType } from '../world/sui-names.ts';

const sui = 1_000_000_000n;

type SeedCollection = Pick<Collection, 'key' | 'nftType' | 'title' | 'semanticSlug' | 'description'> &
  Partial<Collection> & { mintSui: bigint };

function collection(seed: SeedCollection): Collection {
  const { mintSui, ...rest } = seed;
  return {
    verified: true,
    onMarketplace: true,
    maxSupply: null,
    floorRule: { kind: 'lowest-listing' } satisfies FloorRule,
    volumeMist: 0n,
    ...rest,
    nftType: canonicalType(rest.nftType),
    rowId: uuidFrom(`collection/${rest.key}`),
    mintPriceMist: mintSui * sui,
  };
}

/** All collections of the seed, the product's own first. */
export function seedCollections(): Collection[] {
  return [
    collection({
      key: 'rocks',
      nftType: `${addressFrom('package/rocks')}::rocks::Nft`,
      title: 'Sui Rocks',
      semanticSlug: 'sui-rocks',
      description: 'One of 555 rocks on Sui.',
      maxSupply: rockMaxSupply,
      mintSui: 10n,
    }),
    collection({
      key: 'lava-lizards',
      nftType: `${addressFrom('package/lava-lizards')}::lizard::Lizard`,
      title: 'Lava Lizards',
      semanticSlug: 'lava-lizards',
      description: 'Lizards that sleep on warm stone.',
      maxSupply: 3333,
      mintSui: 8n,
    }),
    collection({
      key: 'cave-bats',
      nftType: `${addressFrom('package/cave-bats')}::bat::CaveBat`,
      title: 'Cave Bats',
      semanticSlug: 'cave-bats',
      description: 'They hang around.',
      maxSupply: 2000,
      mintSui: 3n,
    }),
    collection({
      // A generic type: a filter by its base name must find every instantiation.
      key: 'glow-worms',
      nftType: `${addressFrom('package/glow-worms')}::worm::Worm<${addressFrom('package/glow-worms')}::glow::GLOW>`,
      title: 'Glow Worms',
      semanticSlug: 'glow-worms',
      description: 'A little light in the dark.',
      maxSupply: 500,
      mintSui: 1n,
    }),
    collection({
      key: 'prime-boulders',
      nftType: `${addressFrom('package/prime-boulders')}::boulder::Boulder`,
      title: 'Prime Boulders',
      semanticSlug: 'prime-boulders',
      description: 'Officially the most valuable boulders (they say so themselves).',
      verified: false,
      floorRule: { kind: 'fixed', floorMist: 99_999n * sui },
      mintSui: 0n,
    }),
    collection({
      key: 'airdrop-voucher',
      nftType: `${addressFrom('package/airdrop-voucher')}::voucher::Voucher`,
      title: 'CLAIM 5000 SUI at https://sui-airdrop.example',
      semanticSlug: 'airdrop-voucher',
      description: '<a href="https://sui-airdrop.example">Claim now</a>',
      verified: false,
      onMarketplace: false,
      mintSui: 0n,
    }),
  ];
}
