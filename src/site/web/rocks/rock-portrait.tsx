import { useState } from 'react';
import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import coolCobalt from 'virtual:artwork/rock-cool-cobalt.svg';
import frostedMist from 'virtual:artwork/rock-frosted-mist.svg';
import oceanStone from 'virtual:artwork/rock-ocean-stone.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';
import { colorLink, rockImage } from './rock-addresses.ts';
import { PageLink } from '../../../ui/links.tsx';

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
  /** The number of the rock whose own picture is shown. null: the drawing for its color. */
  readonly own?: number | string | null;
  /** At the top of a rock's page, before its facts have loaded: whether it has a picture of its own is not known yet. */
  readonly isLarge?: boolean;
}

/** A rock: its own picture, else the drawing for its color, else an outline. It takes the same room in every case. */
export function RockPortrait({ color, own = null, isLarge = false }: RockPortraitProps) {
  const [failed, setFailed] = useState<typeof own>(null);
  const className = `rock-portrait${isLarge ? ' h-[clamp(14rem,40vw,26rem)]' : ''}`;
  if (own === null || own === failed) return <Drawn color={color} className={className} />;
  const onError = (): void => setFailed(own);
  // At the top of a page it may have failed before hydration.
  const ref = (picture: HTMLImageElement | null): void => {
    if (isLarge && picture?.complete === true && picture.naturalWidth === 0) onError();
  };
  // Lazy: the page's scripts do not wait for it.
  return <img src={rockImage(own)} alt="" loading="lazy" {...{ ref, onError, ...room, className }} />;
}

const room = { width: 170, height: 140 };

interface DrawnProps {
  readonly color: string | null;
  readonly className: string;
}

function Drawn({ color, className }: DrawnProps) {
  const portrait = color === null ? undefined : portraits[color];
  if (portrait !== undefined) return <img src={portrait} alt="" loading="lazy" {...room} className={className} />;
  return (
    <svg viewBox="0 0 170 140" className={`${className} rock-outline`} aria-hidden="true">
      <path d="M18 128 34 62 78 18 126 34 154 84 150 128Z" />
    </svg>
  );
}

/** Id of the heading above the rocks on /rocks. */
export const galleryId = 'gallery';

/** A color, drawn and named, linked to its rocks. */
export const ColorName = ({ name }: { readonly name: string }) => (
  <span className="rock-name">
    <RockPortrait color={name} />
    <PageLink to={colorLink(name)} startId={galleryId} className="link">
      {name}
    </PageLink>
  </span>
);
