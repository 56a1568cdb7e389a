import { mint, transfer } from '../world/minting.ts';
import { createKiosk, nftsOfOwner } from '../world/ownership.ts';
import type { Random } from '../world/random.ts';
import type { Kiosk, WorldContext } from '../world/state.ts';
import { list } from '../world/trading.ts';

const sui = 1_000_000_000n;

/** NFTs in the wallet, three plain kiosks, a personal and an OriginByte kiosk; some listed, one locked, some spam. */
export function seedTreasuryNfts(world: WorldContext): void {
  const address = world.state.treasuryAddress;
  const kiosks = [1, 2, 3].map(() => createKiosk(world, { holder: address }));
  const personal = createKiosk(world, { holder: address, capKind: 'personal-kiosk' });
  const originByte = createKiosk(world, { holder: address, capKind: 'origin-byte-kiosk' });
  const [first, second, third] = kiosks;
  if (!first || !second || !third) throw new Error('Three kiosks are required');
  const into = (collection: string, count: number, kiosk?: Kiosk): string[] =>
    Array.from({ length: count }, () => mint(world, { collection, address, ...(kiosk && { kioskId: kiosk.id }) }).id);

  into('rocks', 2);
  into('rocks', 3, first);
  into('rocks', 1, personal);
  const lizards = [...into('lava-lizards', 4, first), ...into('lava-lizards', 3, second)];
  into('cave-bats', 2);
  into('cave-bats', 3, second);
  into('cave-bats', 2, originByte);
  const worms = [...into('glow-worms', 1), ...into('glow-worms', 3, third)];
  into('prime-boulders', 2, third);
  into('airdrop-voucher', 3);
  for (const nftId of lizards.slice(0, 2)) list(world, { nftId, priceMist: 24n * sui });
  for (const nftId of worms.slice(1, 2)) {
    transfer(world, { nftId, address, kioskId: third.id, locked: true });
  }
}

/** Fills the treasury up to the given total of NFTs and kiosks, for measurements. */
export function seedMoreNfts(world: WorldContext, wanted: { nfts: number; kiosks: number }, random: Random): void {
  const address = world.state.treasuryAddress;
  const kiosks = [...world.state.kiosks.values()].filter((kiosk) => kiosk.holder === address);
  while (kiosks.length < wanted.kiosks) kiosks.push(createKiosk(world, { holder: address }));
  for (let held = nftsOfOwner(world.state, address).length; held < wanted.nfts; held += 1) {
    const kiosk = kiosks[held % kiosks.length];
    const collection = random.pick(['lava-lizards', 'cave-bats']);
    mint(world, { collection, address, ...(kiosk && { kioskId: kiosk.id }) });
  }
}
