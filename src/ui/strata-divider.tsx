/** Layers of rock: the one divider between sections. */
export function StrataDivider({ className = '' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 1200 24" preserveAspectRatio="none" className={`strata ${className}`} aria-hidden="true">
      <path d="M0 6 90 4 150 9 310 5 420 8 590 3 700 7 860 5 980 9 1090 4 1200 7" />
      <path d="M0 13 120 12 260 16 380 11 560 14 690 12 820 16 1010 12 1120 15 1200 13" />
      <path d="M0 20 180 18 270 22 480 19 640 21 770 18 930 22 1060 19 1200 21" />
    </svg>
  );
}
