import { type ReactNode, useState } from 'react';
import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import coolCobalt from 'virtual:artwork/rock-cool-cobalt.svg';
import frostedMist from 'virtual:artwork/rock-frosted-mist.svg';
import oceanStone from 'virtual:artwork/rock-ocean-stone.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';
import { Card } from '../../../ui/card.tsx';
import { PageLink } from '../../../ui/links.tsx';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { holderLink, rockImage, rockLink } from './rock-addresses.ts';
import { holderText, ownName, rockTitle, suiText } from './rock-words.ts';
import type { ShownRock } from './rocks-answer.ts';

const portraits: Readonly<Record<string, string>> = {
  'Powder Blue': powderBlue,
  'Azure Pulse': azurePulse,
  'Cool Cobalt': coolCobalt,
  'Ocean Stone': oceanStone,
  'Charcoal Slate': charcoalSlate,
  'Frosted Mist': frostedMist,
};

interface RockPortraitProps {
  readonly color: string | null;
  /** Whose own picture is shown where it has one. Left out: the one of its color. */
  readonly of?: Pick<ShownRock, 'number' | 'imageUrl'> | undefined;
  /** At the top of its page: shown at once. */
  readonly isLarge?: boolean;
}

/** A rock: its own picture, else as it is drawn for its color, else an outline. Its room is the same in every case. */
export function RockPortrait({ color, of, isLarge = false }: RockPortraitProps) {
  const [failed, setFailed] = useState<string>();
  const own = of === undefined || of.imageUrl === null ? undefined : rockImage(of.number);
  const portrait = own !== undefined && own !== failed ? own : color === null ? undefined : portraits[color];
  const className = isLarge ? 'rock-portrait rock-portrait-large' : 'rock-portrait';
  if (portrait === undefined) {
    return (
      <svg viewBox="0 0 170 140" className={`${className} rock-outline`} aria-hidden="true">
        <path d="M18 128 34 62 78 18 126 34 154 84 150 128Z" />
      </svg>
    );
  }
  const loading = isLarge ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy' } as const);
  const onError = portrait === own ? () => setFailed(own) : undefined;
  return <img src={portrait} alt="" width="170" height="140" className={className} onError={onError} {...loading} />;
}

/** An owner by name or short address, leading to all that they hold. */
export const OwnerLink = ({ owner }: { readonly owner: ShownRock['owner'] }) =>
  owner === null ? (
    <span className="text-quiet">Not known</span>
  ) : (
    <PageLink to={holderLink(owner.address)} className="link" title={owner.address}>
      {holderText(owner)}
    </PageLink>
  );

interface RockCardProps {
  readonly rock: ShownRock;
  /** The last line; the owner where it is left out. */
  readonly note?: ReactNode;
}

/** One rock of a gallery: two links, to its page and to its owner. */
function RockCard({ rock, note }: RockCardProps) {
  const name = ownName(rock);
  return (
    <Card as="li" padded={false} className="rock-card">
      <RockPortrait color={rock.color} of={rock} />
      <h3 className="rock-card-title">
        <PageLink to={rockLink(rock.number)} className="quiet-link">
          {rockTitle(rock.number)}
        </PageLink>
      </h3>
      <p className="rock-card-line text-quiet">
        {rock.color ?? 'Color not known'}
        {name !== null && <span className="block">{name}</span>}
      </p>
      <p className="rock-card-line rock-card-price">
        {rock.listing === null ? <span className="text-quiet">Not for sale</span> : suiText(rock.listing.priceMist)}
      </p>
      <p className="rock-card-line">
        {note ?? (
          <>
            <span className="text-quiet">Owner: </span>
            <OwnerLink owner={rock.owner} />
          </>
        )}
      </p>
    </Card>
  );
}

interface RockGalleryProps<Rock extends ShownRock> {
  readonly label: string;
  readonly rocks: readonly Rock[];
  readonly noteOf?: (rock: Rock) => ReactNode;
}

export const RockGallery = <Rock extends ShownRock>({ label, rocks, noteOf }: RockGalleryProps<Rock>) => (
  <ul className="rock-gallery" aria-label={label}>
    {rocks.map((rock) => (
      <RockCard key={rock.number} rock={rock} note={noteOf?.(rock)} />
    ))}
  </ul>
);

/** Keeps the gallery's room while it is on its way. */
export const LoadingGallery = ({ count }: { readonly count: number }) => (
  <div className="rock-gallery">
    <output className="sr-only">Loading...</output>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} className="rock-card-room" />
    ))}
  </div>
);
