import { nftsOfCollection, ownerOf } from '../world/ownership.ts';
import type { Random } from '../world/random.ts';
import type { Nft, WorldContext } from '../world/state.ts';
import { activeListing, buy, list } from '../world/trading.ts';
import type { Holder } from './population.ts';
import type { Chapter } from './treasury-story.ts';

const mistPerCentiSui = 10_000_000n;

/** NFTs of one collection that the treasury bought on one day, and their later sales. Prices in hundredths of a SUI. */
type Sweep = { collection: string; day: number; paid: number[]; soldOn: number; sold: number[] };

/** More profit than loss. All of them are sold again: the treasury minted everything it holds today. */
const sweeps: readonly Sweep[] = [
  {
    collection: 'lava-lizards',
    day: 52,
    paid: [905, 920, 955, 990, 1010, 1150],
    soldOn: 84,
    sold: [1500, 1480, 1390, 1620, 880, 760],
  },
  { collection: 'cave-bats', day: 171, paid: [290, 305, 310, 335, 350], soldOn: 214, sold: [510, 495, 470, 240, 265] },
  {
    collection: 'lava-lizards',
    day: 283,
    paid: [1580, 1590, 1610, 1640, 1655, 1690, 1725, 1740],
    soldOn: 331,
    sold: [2450, 2390, 2300, 2280, 2210, 1190, 1120, 1240],
  },
  { collection: 'glow-worms', day: 318, paid: [70, 75, 75], soldOn: 377, sold: [120, 110, 60] },
];

/** One chapter for each purchase and each sale. */
export function sweepStory(holders: readonly Holder[], random: Random): Chapter[] {
  return sweeps.flatMap(({ collection, day, paid, soldOn, sold }) => {
    const held: string[] = [];
    const purchases = paid.map((price, index): Chapter => ({
      day: day + index / 24,
      happen: (world) => held.push(purchase(world, collection, price, random)),
    }));
    const sales = sold.map((price, index): Chapter => ({
      day: soldOn + index * 1.3,
      happen: (world) => sell(world, held.shift(), price, random.pick(holders)),
    }));
    return [...purchases, ...sales];
  });
}

function purchase(world: WorldContext, collection: string, centiSui: number, random: Random): string {
  const { state } = world;
  const free = (nft: Nft): boolean =>
    ownerOf(state, nft) !== state.treasuryAddress && activeListing(state, nft.id) === undefined;
  const { id } = random.pick(nftsOfCollection(state, collection).filter(free));
  list(world, { nftId: id, priceMist: BigInt(centiSui) * mistPerCentiSui });
  buy(world, { nftId: id, buyer: state.treasuryAddress, into: 'kiosk' });
  return id;
}

function sell(world: WorldContext, nftId: string | undefined, centiSui: number, buyer: Holder): void {
  if (nftId === undefined) throw new Error('No purchased NFT is left to sell');
  list(world, { nftId, priceMist: BigInt(centiSui) * mistPerCentiSui });
  buy(world, { nftId, buyer: buyer.address, into: buyer.into });
}
