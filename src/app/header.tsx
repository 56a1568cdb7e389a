import { useLocation } from 'wouter';
import facets from 'virtual:artwork/rock-mark.facets';
import { productName } from '../site/content.ts';
import { PageLink } from '../ui/links.tsx';
import { ThemeToggle } from './theme.tsx';

const links = [
  { to: '/', text: 'Home' },
  { to: '/nft', text: 'NFTs' },
  { to: '/rockfolio', text: 'RockFolio' },
] as const;

/** Specification 2, shared frame: a logo and the links Home, NFTs and RockFolio. */
export function Header() {
  const [path] = useLocation();
  return (
    <header className="header">
      <div className="wrap header-inside">
        <PageLink to="/" className="logo">
          <RockMark className="h-8 w-auto" />
          <span className="logo-name">{productName}</span>
        </PageLink>
        <nav aria-label="Main" className="header-nav">
          {links.map(({ to, text }) => (
            <PageLink
              key={to}
              to={to}
              className="nav-link"
              {...(path === to ? { 'aria-current': 'page' as const } : {})}
            >
              {text}
            </PageLink>
          ))}
        </nav>
        <ThemeToggle />
      </div>
    </header>
  );
}

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
