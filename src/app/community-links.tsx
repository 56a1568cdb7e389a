import { useSiteConfig } from '../ui/site-config-context.tsx';
import { ExternalLink } from '../ui/external-link.tsx';

export interface CommunityLinksProps {
  readonly className?: string;
  readonly linkClassName?: string;
}

/** The messenger community, the social network and the marketplace, everywhere in this order and under these names. */
export function CommunityLinks({ className = '', linkClassName = 'quiet-link' }: CommunityLinksProps) {
  const { linkTelegram, linkX, linkMarketplace } = useSiteConfig();
  const links = [
    ['Telegram', linkTelegram],
    ['X (Twitter)', linkX],
    ['TradePort', linkMarketplace],
  ] as const;
  return (
    <ul className={className}>
      {links.map(([name, href]) => (
        <li key={name}>
          <ExternalLink href={href} className={linkClassName}>
            {name}
          </ExternalLink>
        </li>
      ))}
    </ul>
  );
}
