import { makeReadyJson } from '../http/ready-answer.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { collectionFactsAnswer, type CollectionFactsAnswer } from './contract.ts';

interface Facts {
  readonly snapshot: () => CollectionFactsAnswer;
  readonly onChange: (run: () => void) => void;
}

/** Specification 2 (collection page), rulings R3: facts with their age, never waiting for the outside. */
export function collectionRoutes({ snapshot, onChange }: Facts): readonly Route[] {
  let ready = makeReadyJson(snapshot());
  onChange(() => void (ready = makeReadyJson(snapshot())));
  return [
    defineRoute({
      method: 'GET',
      path: '/api/collection',
      access: 'public',
      summary: "What is true of the product's own collection now; unknown facts are null",
      answer: collectionFactsAnswer,
      ready: () => ready,
      handle: () => ({ status: 200, ready }),
    }),
  ];
}
