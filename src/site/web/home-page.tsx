import cairn from 'virtual:artwork/cairn.svg';
import hoard from 'virtual:artwork/hoard.svg';
import tracker from 'virtual:artwork/tracker.svg';
import trio from 'virtual:artwork/trio.svg';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { figureState } from '../../shared/answer-fields.ts';
import { flag, list, number, orNull, time } from '../../ui/api/answer-schema.ts';
import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass, LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { unsignedText } from '../../ui/decimal-text.ts';
import { PageLink } from '../../ui/links.tsx';
import { StrataDivider } from '../../ui/section-heading.tsx';
import { ServerSnapshot } from '../../ui/server-written.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { collection } from '../content.ts';
import { CollectionFacts, FigureLines } from './collection-facts.tsx';
import { CommunitySection } from './community-section.tsx';
import { Rockmap } from './rockmap.tsx';

/** Specification 2, Home. */
export function HomePage() {
  return (
    <>
      <Hero />
      <StrataDivider />
      <HomeCards />
      <Rockmap />
      <CommunitySection />
    </>
  );
}

function Hero() {
  return (
    <section className="wrap hero">
      <div>
        <h1 className="title-1">The Stone Age keeps honest books.</h1>
        <p className="mt-6 max-w-xl text-lg text-quiet sm:text-xl">
          Sui Rocks is a tribe of {collection.totalSupply} rocks on the SUI blockchain with a treasury in the open. Ugh:
          big shiny pile. Also ugh: you can count it yourself, down to the last pebble.
        </p>
        <p className="mt-4 max-w-xl text-quiet">
          Holders get access to upcoming tools and a share of treasury dividends, paid regularly after the mint ends.
          Distributions are discretionary and not guaranteed.
        </p>
        <div className="mt-8 flex flex-wrap gap-4">
          <LinkButton look="torch" to="/rocks">
            See the rocks
          </LinkButton>
          <LinkButton to="/rockfolio">Count the pile</LinkButton>
        </div>
      </div>
      <figure className="hero-cairn">
        <img
          src={cairn}
          width="473"
          height="452"
          fetchPriority="high"
          alt="A cairn of six stones, one for each color, from Powder Blue at the bottom to Frosted Mist on top."
        />
        <figcaption>Each stone is as large as its color&rsquo;s share of the {collection.totalSupply}.</figcaption>
      </figure>
      <div className="lg:col-span-full">
        <CollectionFacts />
      </div>
    </section>
  );
}

/** The card's only link; the whole card is its target. */
function CardAction({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <PageLink to={to} className="whole-link-target">
      <span className={buttonClass('stone')}>{children}</span>
    </PageLink>
  );
}

/** 'Learn More' alone means nothing to screen reader users who go through the links of a page. */
const learnMore = (
  <CardAction to="/nft">
    <span>
      Learn More<span className="sr-only"> about the NFT collection</span>
    </span>
  </CardAction>
);

const botPageLink = (
  <PageLink to="/telegram" className="link whole-link-target">
    How it will work<span className="sr-only">: the NFT tracker bot</span>
  </PageLink>
);

/** Specification 2, Home: the collection, the treasury and the tracker that is still under development. */
function HomeCards() {
  return (
    <section className="wrap py-16 sm:py-24" aria-label="What is in the cave">
      <div className="grid gap-6 md:grid-cols-3">
        <HomeCard picture={trio} title="NFT Collection" action={learnMore}>
          {collection.totalSupplyText} in six colors, {collection.mintPriceText} each. No two hewn alike, none of them
          needs feeding.
        </HomeCard>
        <HomeCard
          picture={hoard}
          title="Treasury"
          figure={<TreasuryValue />}
          action={<CardAction to="/rockfolio">View Treasury</CardAction>}
        >
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
  readonly figure?: ReactNode;
  readonly action: ReactNode;
  readonly children: ReactNode;
}

function HomeCard({ picture, title, note, figure, action, children }: HomeCardProps) {
  return (
    <Card as="article" className="home-card whole-link">
      <img src={picture} alt="" width="320" height="160" loading="lazy" className="home-card-picture" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="title-3">{title}</h2>
        {note}
      </div>
      <p className="mt-3 mb-6 text-quiet">{children}</p>
      {figure}
      <div className="mt-auto">{action}</div>
    </Card>
  );
}

/** The part of GET /api/treasury/trend that this page shows: the whole contract would make the site's first page 1.6 kB larger. */
const trend = z.object({
  asOf: time,
  state: orNull(figureState),
  totalUsdValue: number,
  days: list(z.object({ usd: number, estimated: flag })),
});

/** Rulings R8: the treasury's value with its line of 30 days. It takes the same room while loading, known and unknown. */
function TreasuryValue() {
  const { data, isError } = usePublicAnswer('/api/treasury/trend', trend, { everyMs: 300_000 });
  const usd = data?.totalUsdValue ?? null;
  const text = usd === null ? 'Not known right now' : `$${unsignedText(usd, { min: 2, max: 2 })}`;
  return (
    <>
      <div className="treasury-value needs-script">
        <FigureLines
          label="Total Value, and its last 30 days"
          value={data === undefined && !isError ? null : text}
          {...(usd !== null && data?.state && { state: data.state, asOf: data.asOf })}
        />
        <Sparkline
          points={(data?.days ?? []).map((day) => ({ value: day.usd, isDashed: day.estimated === true }))}
          className="h-10 w-full"
        />
      </div>
      <ServerSnapshot of="treasury-value" />
    </>
  );
}
