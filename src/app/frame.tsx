import { useLocation } from 'wouter';
import facets from 'virtual:artwork/rock-mark.facets';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';

import { productName } from '../site/content.ts';
import { useCommunityLinks } from '../site/web/community-section.tsx';
import { ExternalLink, PageLink } from '../ui/links.tsx';
import { StrataDivider } from '../ui/section-heading.tsx';
import { useInBrowser, useIsHydrated, useSiteConfig } from '../ui/server-written.tsx';
import { type StaleSource, staleWords } from '../shared/source-status.ts';
import { timeOfDay } from '../ui/age-in-words.ts';
import { Age } from '../ui/age.tsx';
import { readAnswer, rows } from '../ui/api/answer-schema.ts';

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

/** The logo: the smallest rock. Drawn inline, since it is at the top of every page. */
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
      <div className="bg-bedrock">
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
          <nav aria-label="More of this site" className="footer-links">
            <PageLink to="/rocks" className="quiet-link">
              All rocks
            </PageLink>
            <PageLink to="/payouts" className="quiet-link">
              Payouts
            </PageLink>
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

function CommunityLinks() {
  const links = useCommunityLinks();
  return (
    <ul className="footer-links">
      {links.map(({ name, href }) => (
        <li key={name}>
          <ExternalLink href={href} className="quiet-link">
            {name}
          </ExternalLink>
        </li>
      ))}
    </ul>
  );
}

/** The part of GET /api/sources that this version has sentences for. */
const staleSources = z.object({
  stale: rows(z.object({ source: z.enum(['chain', 'marketplace', 'prices']), asOf: z.iso.datetime() })),
});

/** Rarely while all is well, so that a page left open costs next to nothing; often while it is not, since visitors want to see it end. */
const refetchWhileWellMs = 300_000;
const refetchWhileStaleMs = 30_000;

/**
 * Says which sources could not be read for a while; empty while all is well. The server writes the first line into the page, so that it
 * needs no request and no script. It is on the lower edge of the window: appearing and disappearing, it moves nothing.
 */
export function StatusLine() {
  const written = useRef<HTMLOutputElement>(null);
  // Only the first page has a line written by the server. One mounted later has none, and must not turn text into markup.
  const isHydrated = useIsHydrated();
  const [first, setFirst] = useState<readonly StaleSource[] | null>(isHydrated ? [] : null);
  useEffect(() => setFirst((known) => known ?? readWritten(written.current)), []);
  if (first !== null) return <LiveLine first={first} />;
  return (
    <output
      key="written"
      ref={written}
      className="status-line"
      // What the server has filled in differs from what was prerendered.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: '<!--status-line-->' }}
    />
  );
}

function readWritten(element: HTMLElement | null): readonly StaleSource[] {
  const text = element?.querySelector('span')?.dataset['stale'];
  return text === undefined ? [] : (JSON.parse(text) as readonly StaleSource[]);
}

function LiveLine({ first }: { readonly first: readonly StaleSource[] }) {
  const { data } = useQuery({
    queryKey: ['/api/sources'],
    queryFn: async ({ signal }) => (await readAnswer({ path: '/api/sources', signal }, staleSources)).stale ?? [],
    initialData: first,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? refetchWhileWellMs : refetchWhileStaleMs),
  });
  return (
    <output key="live" className="status-line">
      {data.length > 0 && (
        <span className="wrap">
          {data.map((source) => (
            <Sentence key={source.source} source={source} />
          ))}
        </span>
      )}
    </output>
  );
}

function Sentence({ source: { source, asOf } }: { readonly source: StaleSource }) {
  const [of, why] = staleWords[source];
  return (
    <span>
      {of} {timeOfDay(asOf)}, <Age quiet asOf={asOf} />: {why}{' '}
    </span>
  );
}

const storageKey = 'theme';

type Theme = 'dark' | 'light';

/**
 * Runs inline in the head, before the first paint, so that a chosen theme never flashes. Without a choice the style
 * sheet follows the system.
 */
export const themeScript =
  `try{var t=localStorage.getItem('${storageKey}');` +
  `if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch(e){}`;

const shownTheme = (window: Window): Theme => {
  const chosen = window.document.documentElement.dataset['theme'];
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

function switchTheme(window: Window): void {
  const next: Theme = shownTheme(window) === 'dark' ? 'light' : 'dark';
  window.document.documentElement.dataset['theme'] = next;
  try {
    window.localStorage.setItem(storageKey, next);
  } catch {
    // This browser forbids storage: the choice lasts until the visitor leaves the page.
  }
}

/** Both icons are rendered; the style sheet shows the one for the theme to switch to. */
const ThemeToggle = () => (
  <button type="button" className="theme-toggle needs-script" onClick={() => switchTheme(window)}>
    <span className="sr-only">Switch theme: cave (dark) or quarry (light)</span>
    <svg viewBox="0 0 24 24" className="theme-sun" aria-hidden="true">
      <path d="M12 7.2 15.6 9 16.8 12.6 14.4 16.2 10.2 16.8 7.2 13.8 7.8 9.6Z" fill="currentColor" />
      <path d="M12 1.5V4M12 20v2.5M1.5 12H4M20 12h2.5M4.5 4.5 6.3 6.3M17.7 17.7 19.5 19.5M19.5 4.5 17.7 6.3M6.3 17.7 4.5 19.5" />
    </svg>
    <svg viewBox="0 0 24 24" className="theme-moon" aria-hidden="true">
      <path d="M14.5 2.5 8.5 4 4 9.5 4.5 15.5 9 20.5 15.5 21 20.5 16.5 15 16 10.5 12.5 10.5 7Z" fill="currentColor" />
    </svg>
  </button>
);
