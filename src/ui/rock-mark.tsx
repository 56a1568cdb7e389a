import facets from 'virtual:artwork/rock-mark.facets';

/** The logo: the smallest rock. Drawn inline, since it stands above everything else on every page. */
export function RockMark({ className = '' }: { readonly className?: string }) {
  return (
    <svg viewBox={facets.viewBox} className={className} strokeWidth="1" strokeLinejoin="round" aria-hidden="true">
      {facets.paths.map(({ fill, line }) => (
        <path key={line} fill={fill} stroke={fill} d={line} />
      ))}
    </svg>
  );
}
