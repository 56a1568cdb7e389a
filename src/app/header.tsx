import { useLocation } from 'wouter';
import { productName } from '../site/content.ts';
import { PageLink } from '../ui/page-link.tsx';
import { RockMark } from '../ui/rock-mark.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

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
