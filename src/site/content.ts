/** Every constant and text of specification 2, 3 and 9 that the site shows, in one place. */
export const productName = 'Sui Rocks';

export const collection = {
  totalSupply: 555,
  mintPriceSui: 10,
  totalSupplyText: '555 Rocks',
  mintPriceText: '10 SUI',
  mintLinkText: 'Mint Your Own Rock for 10 SUI',
} as const;

export type PhaseStatus = 'completed' | 'current' | 'upcoming';

export interface Phase {
  readonly number: number;
  readonly title: string;
  readonly status: PhaseStatus;
}

export const rockmapTitle = 'Rockmap: Quest to Rock Mountain';

/** Specification 2: the six phases; their status as specification 4 has it. */
export const phases: readonly Phase[] = [
  { number: 1, title: 'Mint Begins', status: 'completed' },
  { number: 2, title: 'NFT Sweeping, Degen Plays', status: 'current' },
  { number: 3, title: 'Minted Out, futures trading begins', status: 'upcoming' },
  { number: 4, title: 'Regular revenue distributions to rock holders', status: 'upcoming' },
  { number: 5, title: 'Telegram-style bot for NFT tracking', status: 'upcoming' },
  { number: 6, title: 'NFT-gated call channel for futures entry signals', status: 'upcoming' },
];

export const statusText: Readonly<Record<PhaseStatus, string>> = {
  completed: 'Completed',
  current: 'Current',
  upcoming: 'Upcoming',
};

export const notFound = {
  code: '404',
  title: 'Rock Not Found!',
  text: "Looks like this cave painting doesn't exist. Perhaps it was lost in prehistoric times?",
  wayHome: 'Back to Cave Home',
} as const;
