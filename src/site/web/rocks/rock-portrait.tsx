import { useState } from 'react';
import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import coolCobalt from 'virtual:artwork/rock-cool-cobalt.svg';
import frostedMist from 'virtual:artwork/rock-frosted-mist.svg';
import oceanStone from 'virtual:artwork/rock-ocean-stone.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';
import { colorLink, rockImage } from './rock-addresses.ts';
import { PageLink } from '../../../ui/links.tsx';
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
}

/** A rock: its own picture, else as it is drawn for its color, else an outline. Its room is the same in every case. */
export function RockPortrait({ color, of }: RockPortraitProps) {
  const [failed, setFailed] = useState<string>();
  const own = of === undefined || of.imageUrl === null ? undefined : rockImage(of.number);
  const portrait = own !== undefined && own !== failed ? own : color === null ? undefined : portraits[color];
  if (portrait === undefined) return <Outline />;
  const onError = portrait === own ? () => setFailed(own) : undefined;
  return <img src={portrait} alt="" loading="lazy" onError={onError} {...portraitRoom} />;
}

/** At the top of its page, there before the rock's facts: the server draws the rock where it has no picture of its own. */
export function LargePortrait({ number }: { readonly number: number | string | null }) {
  const [failed, setFailed] = useState<typeof number>(null);
  const className = 'rock-portrait rock-portrait-large';
  if (number === failed) return <Outline className={className} />;
  const onError = (): void => setFailed(number);
  return (
    <img
      src={rockImage(number ?? '')}
      alt=""
      fetchPriority="high"
      onError={onError}
      {...portraitRoom}
      className={className}
    />
  );
}

const portraitRoom = { width: 170, height: 140, className: 'rock-portrait' };

const Outline = ({ className = portraitRoom.className }) => (
  <svg viewBox="0 0 170 140" className={`${className} rock-outline`} aria-hidden="true">
    <path d="M18 128 34 62 78 18 126 34 154 84 150 128Z" />
  </svg>
);

/** A color, drawn and by name, that leads to its rocks. */
export const ColorName = ({ name }: { readonly name: string }) => (
  <span className="rock-name">
    <RockPortrait color={name} />
    <PageLink to={colorLink(name)} className="link">
      {name}
    </PageLink>
  </span>
);
