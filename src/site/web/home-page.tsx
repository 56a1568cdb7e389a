import cairn from 'virtual:artwork/cairn.svg';
import { LinkButton } from '../../ui/button.tsx';
import { StrataDivider } from '../../ui/section-heading.tsx';
import { collection } from '../content.ts';
import { CollectionFacts } from './collection-facts.tsx';
import { CommunitySection } from './community-section.tsx';
import { HomeCards } from './home-cards.tsx';
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
      <div className="hero-words">
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
          <LinkButton look="torch" to="/nft">
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
      <div className="hero-facts">
        <CollectionFacts />
      </div>
    </section>
  );
}
