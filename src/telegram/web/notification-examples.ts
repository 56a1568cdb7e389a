/** Specification 2: example notification cards for mint, sale, listing and summary; 9: example max supply 555. */
export interface ExampleNotification {
  readonly kind: 'Mint' | 'Sale' | 'Listing' | 'Summary';
  /** What happened and the price: the line a phone shows first, as the bot's own cards have it. */
  readonly headline: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly progress: { readonly minted: number; readonly maxSupply: number } | null;
  /** The rock's colour of specification 3; null where the card is not about one rock. */
  readonly color: 'Azure Pulse' | 'Powder Blue' | 'Charcoal Slate' | null;
  /** The one line of links at the end. */
  readonly links: string;
}

export const exampleMaxSupply = 555;

export const exampleNotifications: readonly ExampleNotification[] = [
  {
    kind: 'Mint',
    headline: 'Sui Rock #412 minted for 10 SUI ($35.00)',
    facts: [['Minter', '0x7a3f…91c2']],
    progress: { minted: 412, maxSupply: exampleMaxSupply },
    color: 'Azure Pulse',
    links: 'Transaction · NFT',
  },
  {
    kind: 'Sale',
    headline: 'Sui Rock #87 sold for 14.56 SUI ($50.96)',
    facts: [
      ['Against floor', '+12%'],
      ['Buyer', '0x52d0…e8b7'],
      ['Seller', '0xc41e…07fa'],
    ],
    progress: null,
    color: 'Powder Blue',
    links: 'Transaction · NFT',
  },
  {
    kind: 'Listing',
    headline: 'Sui Rock #203 listed for 13 SUI ($45.50)',
    facts: [
      ['Against floor', 'at the floor'],
      ['Seller', '0x9be6…4d10'],
    ],
    progress: null,
    color: 'Charcoal Slate',
    links: 'Transaction · NFT',
  },
  {
    kind: 'Summary',
    headline: 'Sui Rocks today: floor 13 SUI ($45.50)',
    facts: [
      ['Last 24 hours', '6 sales for 84.2 SUI ($294.70)'],
      ['Top sale', '14.56 SUI'],
      ['Listed', '38'],
    ],
    progress: { minted: 412, maxSupply: exampleMaxSupply },
    color: null,
    links: 'Transaction',
  },
];
