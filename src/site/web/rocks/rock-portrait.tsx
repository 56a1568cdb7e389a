import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import coolCobalt from 'virtual:artwork/rock-cool-cobalt.svg';
import frostedMist from 'virtual:artwork/rock-frosted-mist.svg';
import oceanStone from 'virtual:artwork/rock-ocean-stone.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';

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
  /** At the top of its page: shown at once. */
  readonly isLarge?: boolean;
}

/** A rock as it is drawn for its color; an outline where that is not known. Its room is the same in every case. */
export function RockPortrait({ color, isLarge = false }: RockPortraitProps) {
  const portrait = color === null ? undefined : portraits[color];
  const className = isLarge ? 'rock-portrait rock-portrait-large' : 'rock-portrait';
  if (portrait === undefined) {
    return (
      <svg viewBox="0 0 170 140" className={`${className} rock-outline`} aria-hidden="true">
        <path d="M18 128 34 62 78 18 126 34 154 84 150 128Z" />
      </svg>
    );
  }
  const loading = isLarge ? ({ fetchPriority: 'high' } as const) : ({ loading: 'lazy' } as const);
  return <img src={portrait} alt="" width="170" height="140" className={className} {...loading} />;
}
