import lostRock from 'virtual:artwork/lost-rock.svg';
import { LinkButton } from '../../ui/button.tsx';
import { notFound } from '../content.ts';

/** Specification 2, Not-found page. */
export function NotFoundPage() {
  return (
    <section className="wrap lost">
      <img
        src={lostRock}
        width="860"
        height="306"
        fetchPriority="high"
        alt="Cave painting: between two rocks gapes the outline of a third. A stick figure shrugs, a mammoth looks away."
      />
      <h1 className="title-2">
        <span className="lost-code">{notFound.code}</span> {notFound.title}
      </h1>
      <p className="mx-auto mt-4 max-w-xl text-lg text-quiet">{notFound.text}</p>
      <LinkButton look="torch" to="/" className="mt-8">
        {notFound.wayHome}
      </LinkButton>
    </section>
  );
}
