import type { ActionRow, WorldContext } from '../world/state.ts';
import { suiPriceUsd } from '../world/tokens.ts';

const dayMs = 86_400_000;
const saleTypes = ['buy', 'accept-bid', 'accept-collection-bid'];

function sum(actions: readonly ActionRow[]): bigint {
  return actions.reduce((total, action) => total + (action.priceMist ?? 0n), 0n);
}

/** Sales and mints of a collection, by either slug; null when it is not on the marketplace. */
export function collectionStats(world: WorldContext, slug: string) {
  const { state } = world;
  const collection = [...state.collections.values()].find(
    (each) => each.onMarketplace && (each.nftType === slug || each.semanticSlug === slug),
  );
  if (!collection) return null;
  const actions = state.actions.filter((action) => action.collectionKey === collection.key);
  const sales = actions.filter((action) => saleTypes.includes(action.type));
  const mints = actions.filter((action) => action.type === 'mint');
  const today = sales.filter((action) => action.blockTimeMs > world.now().getTime() - dayMs);
  const usd = (mist: bigint): number => (Number(mist) / 1e9) * (suiPriceUsd(state) ?? 0);
  return {
    total_volume: String(sum(sales)),
    total_usd_volume: usd(sum(sales)),
    total_sales: sales.length,
    total_mints: mints.length,
    total_mint_volume: String(sum(mints)),
    day_volume: String(sum(today)),
    day_sales: today.length,
    day_usd_volume: usd(sum(today)),
  };
}
