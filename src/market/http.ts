import { defineRoute, type Route } from '../http/route.ts';
import { collectionFactsAnswer, type CollectionFactsAnswer } from './contract.ts';

/** Specification 2 (collection page), rulings R3: facts with their age, never waiting for the outside. */
export function collectionRoutes(snapshot: () => CollectionFactsAnswer): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/collection',
      access: 'public',
      summary: "What is true of the product's own collection now; unknown facts are null",
      answer: collectionFactsAnswer,
      handle: () => ({ status: 200, body: snapshot() }),
    }),
  ];
}
