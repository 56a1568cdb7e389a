import type { ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';
import { PageLink } from '../../../ui/links.tsx';
import { Skeleton } from '../../../ui/placeholders.tsx';
import { holderLink, rockLink } from './rock-addresses.ts';
import { RockPortrait } from './rock-portrait.tsx';
import { holderText, ownName, rockTitle, listedAt } from './rock-words.ts';
import type { ShownRock } from './rocks-answer.ts';

/** An owner by name or short address, linked to all that they hold. */
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
  /** The last line; left out: the owner. */
  readonly note?: ReactNode;
}

function RockCard({ rock, note }: RockCardProps) {
  const name = ownName(rock);
  return (
    <Card as="li" padded={false} className="rock-card">
      <RockPortrait color={rock.color} own={rock.imageUrl === null ? null : rock.number} />
      <h3 className="rock-card-title">
        <PageLink to={rockLink(rock.number)} className="quiet-link">
          {rockTitle(rock.number)}
        </PageLink>
      </h3>
      <p className="rock-card-line text-quiet">
        {rock.color ?? 'Color not known'}
        {name !== null && <span className="block">{name}</span>}
      </p>
      <p className="rock-card-line mt-auto pt-2 font-bold">
        {rock.listing === null ? <span className="text-quiet">Not for sale</span> : listedAt(rock.listing)}
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

export const LoadingGallery = ({ count }: { readonly count: number }) => (
  <div className="rock-gallery">
    <output className="sr-only">Loading...</output>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} className="rock-card-room" />
    ))}
  </div>
);
