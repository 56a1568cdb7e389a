import family from 'virtual:artwork/family.svg';
import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { mintPercent } from '../cards/mint-progress.ts';
import { exampleNotifications } from './bot-guide.ts';

const pictures = { 'Azure Pulse': azurePulse, 'Charcoal Slate': charcoalSlate, 'Powder Blue': powderBlue } as const;

/** Specification 2: example notification cards for mint, sale, listing and summary. */
export const ExampleNotifications = () => (
  <ul className="mt-8 grid gap-6 sm:grid-cols-2 xl:grid-cols-4">
    {exampleNotifications.map((example) => (
      <Card key={example.kind} as="li" className="flex flex-col">
        <ExampleBody example={example} />
      </Card>
    ))}
  </ul>
);

const ExampleBody = ({ example }: { readonly example: (typeof exampleNotifications)[number] }) => (
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

function Progress({ minted, maxSupply }: { readonly minted: number; readonly maxSupply: number }) {
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
