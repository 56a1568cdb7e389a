import family from 'virtual:artwork/family.svg';
import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { mintPercent } from '../core/mint-progress.ts';

const pictures = { 'Azure Pulse': azurePulse, 'Charcoal Slate': charcoalSlate, 'Powder Blue': powderBlue } as const;

/** Specification 2: example notification cards for mint, sale, listing and summary. */
export function ExampleNotifications() {
  return (
    <ul className="mt-8 grid gap-6 sm:grid-cols-2 xl:grid-cols-4">
      {exampleNotifications.map((example) => (
        <Card key={example.kind} as="li" className="flex flex-col">
          <ExampleBody example={example} />
        </Card>
      ))}
    </ul>
  );
}

function ExampleBody({ example }: { readonly example: ExampleNotification }) {
  return (
    <>
      <p className="flex items-center justify-between gap-4 text-sm text-quiet">
        <span className="font-semibold">{example.kind}</span>
        <Badge>Example</Badge>
      </p>
      <img
        src={example.color === null ? family : pictures[example.color]}
        alt={example.color === null ? 'One rock of each color' : `A rock in ${example.color}`}
        width={160}
        height={128}
        className="mt-4 h-32 w-full object-contain"
        loading="lazy"
      />
      <h3 className="mt-4 text-lg leading-snug font-bold">{example.headline}</h3>
      <dl className="mt-3 space-y-1 text-sm">
        {example.facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-quiet">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      {example.progress === null ? null : <Progress {...example.progress} />}
      <p className="mt-auto pt-4 text-sm text-quiet">{example.links}</p>
    </>
  );
}

function Progress({ minted, maxSupply }: NonNullable<ExampleNotification['progress']>) {
  const percent = mintPercent(minted, maxSupply);
  return (
    <div className="mt-3 text-sm">
      <p className="flex justify-between gap-4">
        <span>
          {minted} / {maxSupply} minted
        </span>
        <span>{percent}%</span>
      </p>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="mt-1 block h-2 w-full" aria-hidden="true">
        <rect width="100" height="6" className="fill-line" />
        <rect width={percent} height="6" className="fill-azure-pulse" />
      </svg>
    </div>
  );
}

/** Specification 2: example notification cards for mint, sale, listing and summary; 9: example max supply 555. */
interface ExampleNotification {
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
