import lostRock from 'virtual:artwork/lost-rock.svg';
import { LinkButton } from '../../ui/button.tsx';
import { notFound } from '../content.ts';

/** Specification 2, Not-found page. */
export function NotFoundPage() {
  return (
    <section className="wrap pt-16 pb-8 text-center">
      <img
        src={lostRock}
        width="860"
        height="306"
        fetchPriority="high"
        className="mx-auto mb-8 w-[min(100%,44rem)]"
        alt="Cave painting: between two rocks gapes the outline of a third. A stick figure shrugs, a mammoth looks away."
      />
      <h1 className="title-2">
        <span className="block text-[clamp(4.5rem,3rem+9vw,9rem)] leading-[0.9] text-ember">{notFound.code}</span>{' '}
        {notFound.title}
      </h1>
      <p className="mx-auto mt-4 max-w-xl text-lg text-quiet">{notFound.text}</p>
      <LinkButton look="torch" to="/" className="mt-8">
        {notFound.wayHome}
      </LinkButton>
    </section>
  );
}
