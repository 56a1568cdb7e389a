/** Explorers and marketplaces of other chains that people copy links from; their subdomains as well. None of them shows Sui. */
const sites = [
  // Ethereum and its relatives.
  'opensea.io',
  'blur.io',
  'looksrare.org',
  'rarible.com',
  'foundation.app',
  'zora.co',
  'element.market',
  'etherscan.io',
  'basescan.org',
  'arbiscan.io',
  'polygonscan.com',
  'bscscan.com',
  'snowtrace.io',
  // Solana.
  'magiceden.io',
  'magiceden.us',
  'tensor.trade',
  'exchange.art',
  'solscan.io',
  'solana.fm',
  'explorer.solana.com',
  // Bitcoin.
  'ordinals.com',
  'unisat.io',
  'mempool.space',
  'blockstream.info',
  // Aptos, Cardano, Tezos, TON, Cosmos, MultiversX, Near, Tron.
  'wapal.io',
  'explorer.aptoslabs.com',
  'aptoscan.com',
  'jpg.store',
  'cardanoscan.io',
  'objkt.com',
  'tzkt.io',
  'getgems.io',
  'tonviewer.com',
  'tonscan.org',
  'stargaze.zone',
  'mintscan.io',
  'xoxno.com',
  'paras.id',
  'nearblocks.io',
  'tronscan.org',
];

/** The marketplace itself, at a collection of another of its chains. */
const otherChainAtMarket = /^(?:https?:\/\/)?(?:www\.)?tradeport\.xyz\/(?!sui\/)[a-z0-9-]+\/collection\//i;
const hostOf = /^(?:https?:\/\/)?([a-z0-9.-]+)(?=[:/?#]|$)/i;

/** Whether a link is one of those that belong to another chain for certain. */
export function isForeignLink(link: string): boolean {
  if (otherChainAtMarket.test(link)) return true;
  const host = hostOf.exec(link)?.[1]?.toLowerCase();
  return host !== undefined && sites.some((site) => host === site || host.endsWith(`.${site}`));
}
