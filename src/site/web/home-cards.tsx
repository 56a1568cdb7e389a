import hoard from 'virtual:artwork/hoard.svg';
import tracker from 'virtual:artwork/tracker.svg';
import trio from 'virtual:artwork/trio.svg';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PageLink } from '../../ui/links.tsx';
import { collection } from '../content.ts';

/** The card's one link, of which the whole card is the target. */
function CardAction({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <PageLink to={to} className="whole-link-target">
      <span className={buttonClass('stone')}>{children}</span>
    </PageLink>
  );
}

/** 'Learn More' alone says nothing to who hears the links of a page one after the other. */
const learnMore = (
  <CardAction to="/nft">
    <span>
      Learn More<span className="sr-only"> about the NFT collection</span>
    </span>
  </CardAction>
);

/** The bot is still to come, but its page can be read. */
const botPageLink = (
  <PageLink to="/telegram" className="link whole-link-target">
    How it will work<span className="sr-only">: the NFT tracker bot</span>
  </PageLink>
);

/** Specification 2, Home: the collection, the treasury and the tracker that is still under development. */
export function HomeCards() {
  return (
    <section className="wrap py-16 sm:py-24" aria-label="What is in the cave">
      <div className="grid gap-6 md:grid-cols-3">
        <HomeCard picture={trio} title="NFT Collection" action={learnMore}>
          {collection.totalSupplyText} in six colors, {collection.mintPriceText} each. No two hewn alike, none of them
          needs feeding.
        </HomeCard>
        <HomeCard picture={hoard} title="Treasury" action={<CardAction to="/rockfolio">View Treasury</CardAction>}>
          The pile, piece by piece: every token, every NFT, the public wallet, and how old each number is.
        </HomeCard>
        <HomeCard
          picture={tracker}
          title="NFT Tracker Bot"
          note={<Badge tone="torch">UNDER DEVELOPMENT</Badge>}
          action={<Button disabled>Coming Soon</Button>}
        >
          Watches the herd for your Telegram group: new mints, sales, listings, bids, the floor price, and a mint
          progress bar. {botPageLink}
        </HomeCard>
      </div>
    </section>
  );
}

interface HomeCardProps {
  readonly picture: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly action: ReactNode;
  readonly children: ReactNode;
}

function HomeCard({ picture, title, note, action, children }: HomeCardProps) {
  return (
    <Card as="article" className="home-card whole-link">
      <img src={picture} alt="" width="320" height="160" loading="lazy" className="home-card-picture" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="title-3">{title}</h2>
        {note}
      </div>
      <p className="mt-3 mb-6 text-quiet">{children}</p>
      <div className="mt-auto">{action}</div>
    </Card>
  );
}
