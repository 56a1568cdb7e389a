import { productName } from '../site/content.ts';
import { CommunityLinks } from './community-links.tsx';
import { PageLink } from '../ui/page-link.tsx';
import { RockMark } from '../ui/rock-mark.tsx';
import { StrataDivider } from '../ui/strata-divider.tsx';
import { useCurrentYear } from './use-current-year.ts';

/** Specification 2, shared frame: external links, legal links and a copyright line with the current year. */
export function Footer() {
  const year = useCurrentYear();
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
            <CommunityLinks className="footer-links" />
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
