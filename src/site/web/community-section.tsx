import caveWall from 'virtual:artwork/cave-wall.svg';
import { ExternalLink } from '../../ui/links.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';

/** Specification 2: links to the messenger community, the social network and the marketplace. */
export function CommunitySection() {
  const links = useCommunityLinks();
  return (
    <section className="wrap pt-16" aria-labelledby="community-title">
      <SectionHeading kicker="Community" title="Sit by the fire" id="community-title">
        Rocks are quiet. The people who hold them are not.
      </SectionHeading>
      <ul className="fires">
        {links.map(({ name, href, text }) => (
          <li key={name} className="fire whole-link">
            <ExternalLink href={href} className="fire-link whole-link-target">
              {name}
            </ExternalLink>
            <span className="text-quiet">{text}</span>
          </li>
        ))}
      </ul>
      <img src={caveWall} alt="" width="900" height="220" loading="lazy" className="cave-wall" />
    </section>
  );
}

/** The messenger community, the social network and the marketplace, everywhere in this order and under these names. */
export function useCommunityLinks() {
  const { linkTelegram, linkX, linkMarketplace } = useSiteConfig();
  return [
    {
      name: 'Telegram',
      href: linkTelegram,
      text: 'The fire everybody sits around. Questions welcome, clubs left outside.',
    },
    { name: 'X (Twitter)', href: linkX, text: 'Short grunts, fresh paintings, treasury news.' },
    { name: 'TradePort', href: linkMarketplace, text: 'The trading place: buy, sell and bid on rocks.' },
  ];
}
