export interface ProgressBarProps {
  /** Names the bar for everybody who cannot see where it stands. */
  readonly label: string;
  /** 0 to 100. */
  readonly percent: number;
  /** What the bar says beside the percentage, e.g. '480 of 555 minted'. */
  readonly valueText?: string;
  readonly full?: boolean;
}

/** A vein of torch light in the stone. Drawn as SVG: a width in percent would need a style attribute. */
export function ProgressBar({ label, percent, valueText, full = false }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      {...(valueText === undefined ? {} : { 'aria-valuetext': valueText })}
      className={`progress${full ? ' progress-full' : ''}`}
    >
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 1 30 0 72 1 100 0V7L60 8 20 7 0 8Z" />
        {percent > 0 && <path d={`M0 1 ${percent * 0.4} 0 ${percent} 1V7L${percent * 0.6} 8 0 7Z`} />}
      </svg>
    </div>
  );
}
