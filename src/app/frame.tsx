import { useLocation } from 'wouter';
import facets from 'virtual:artwork/rock-mark.facets';
import { productName } from '../site/content.ts';
import { ExternalLink, PageLink } from '../ui/links.tsx';
import { StrataDivider } from '../ui/section-heading.tsx';
import { useInBrowser, useSiteConfig } from '../ui/server-written.tsx';
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
const RockMark = ({ className = '' }: { readonly className?: string }) => (
  <svg viewBox={facets.viewBox} className={className} strokeWidth="1" strokeLinejoin="round" aria-hidden="true">
    {facets.paths.map(({ fill, line }) => (
      <path key={line} fill={fill} stroke={fill} d={line} />
    ))}
  </svg>
);

/** Specification 2, shared frame: external links, legal links and a copyright line with the current year. */
export function Footer() {
  // The year that the server wrote into the page, until the browser takes over with its own.
  const year = useInBrowser(() => String(new Date().getFullYear()), useSiteConfig().currentYear);
  return (
    <footer className="mt-24">
      <StrataDivider />
      <div className="bedrock">
        <div className="wrap footer-inside">
          <div>
            <p className="logo">
              <RockMark className="h-7 w-auto" />
              <span className="font-display text-xl font-black">{productName}</span>
            </p>
            <p className="mt-3 max-w-xs text-sm text-quiet">
              Hewn from code. Counted on chain. Guarded by a very small mammoth.
            </p>
          </div>
          <nav aria-label="Community">
            <CommunityLinks />
          </nav>
          <nav aria-label="Bots" className="footer-links">
            <PageLink to="/telegram" className="quiet-link">
              NFT tracker for Telegram
            </PageLink>
            <PageLink to="/verify" className="quiet-link">
              How to verify in Discord
            </PageLink>
          </nav>
          <nav aria-label="Legal" className="footer-links">
            <PageLink to="/privacy" className="quiet-link">
              Privacy Policy
            </PageLink>
            <PageLink to="/terms" className="quiet-link">
              Terms of Service
            </PageLink>
          </nav>
        </div>
        <p className="wrap pb-8 text-sm text-quiet">
          © {year} {productName}. Distributions from the treasury are discretionary and not guaranteed.
        </p>
      </div>
    </footer>
  );
}

/** The messenger community, the social network and the marketplace, everywhere in this order and under these names. */
function CommunityLinks() {
  const { linkTelegram, linkX, linkMarketplace } = useSiteConfig();
  const links = [
    ['Telegram', linkTelegram],
    ['X (Twitter)', linkX],
    ['TradePort', linkMarketplace],
  ] as const;
  return (
    <ul className="footer-links">
      {links.map(([name, href]) => (
        <li key={name}>
          <ExternalLink href={href} className="quiet-link">
            {name}
          </ExternalLink>
        </li>
      ))}
    </ul>
  );
}
