import { z } from 'zod';

import { makeReadyJson } from '../../http/ready/ready-answer.ts';
import { defineRoute, type Route, type RouteAnswer } from '../../http/route.ts';
import { Refused } from '../../shared/failure.ts';
import { parsed, walletAddress, wholeNumber } from '../../shared/parsed-text.ts';
import { rockColors } from '../../shared/rock-colors.ts';
import { canonicalName, canonicalWallet } from '../../shared/sui-address.ts';
import { collectionFactsAnswer } from '../contract.ts';
import { colorNamed } from '../core/rocks.ts';
import { holderAnswer, rockPageAnswer, rockSorts, rocksAnswer, type SharedTreasury } from '../rocks-contract.ts';
import type { RockCatalog } from './rock-catalog.ts';
import type { RockImages } from './rock-images.ts';

const pageMax = 10_000;
const colorNames = rockColors.map(({ name }) => name).join(', ');
const colorSentence = `color must be one of ${colorNames}.`;
const holderSentence =
  'This is neither a Sui address (0x and 64 hexadecimal digits) nor a name like example.sui or @example.';

const galleryQuery = z.strictObject({
  color: parsed(colorSentence, colorNamed).optional(),
  listed: z.enum(['true', 'false'], 'listed must be true or false.').optional(),
  owner: walletAddress.optional(),
  sort: z.enum(rockSorts, `sort must be one of ${rockSorts.join(', ')}.`).default('number'),
  page: parsed(`page must be a whole number from 1 to ${pageMax}.`, wholeNumber(pageMax)).default(1),
});

const rockNumber = z.strictObject({
  number: parsed('A rock number is a whole number, 1 or higher.', wholeNumber(999_999_999)),
});
const holderParams = z.strictObject({
  address: parsed(holderSentence, (text) => canonicalWallet(text) ?? canonicalName(text)).describe(
    'A Sui address (0x and 64 hexadecimal digits), or a name like example.sui or @example',
  ),
});
const notMinted = (number: number): Refused => new Refused('not-found', `No rock has the number ${number}.`);

const notReadYet = (what: string): RouteAnswer => ({
  status: 503,
  body: { message: `${what} have not been read yet. Please try again in a minute.`, code: 'rocks-not-read-yet' },
});

const ownersNotReadYet = notReadYet('The owners of the rocks');

interface RockRoutesDeps {
  readonly catalog: RockCatalog;
  readonly images: RockImages;
  readonly treasury: () => SharedTreasury | null;
  /** The address that a name leads to; null: the name does not exist. Throws Unavailable. */
  readonly lookUpName: (name: string) => Promise<string | null>;
}

/** Specification 2 (collection page), rulings R3: facts with their age, ready in memory. */
function collectionRoute(catalog: RockCatalog): Route {
  const make = () => makeReadyJson({ data: catalog.collection() });
  let ready = make();
  catalog.onChange(() => void (ready = make()));
  return defineRoute({
    method: 'GET',
    path: '/api/collection',
    access: 'public',
    summary: "The current facts about the product's own collection; unknown facts are null",
    answer: collectionFactsAnswer,
    ready: () => ready,
    handle: () => ({ status: 200, ready }),
  });
}

/** Rulings R8: the public calls about rocks, answered from memory; a rock's history takes one indexed read, a name the chain. */
export const rockRoutes = ({ catalog, images, treasury, lookUpName }: RockRoutesDeps): readonly Route[] => [
  collectionRoute(catalog),
  defineRoute({
    method: 'GET',
    path: '/api/rocks',
    access: 'public',
    summary:
      'The minted rocks in pages of 60, filtered by color, listing or owner, with market figures for the six colors',
    query: galleryQuery,
    answer: rocksAnswer,
    handle: ({ query: { color = null, listed, owner = null, sort, page } }) => {
      if (owner !== null && !catalog.areOwnersRead()) return ownersNotReadYet;
      const isListed = listed === undefined ? null : listed === 'true';
      return { data: catalog.page({ color, listed: isListed, owner, sort }, page) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/rocks/{number}',
    access: 'public',
    summary: 'One rock: its owner, where it is held, its price and its history, newest first',
    params: rockNumber,
    answer: rockPageAnswer,
    handle: async ({ params: { number } }) => {
      const data = await catalog.rock(number);
      if (data === undefined) return notReadYet('The rocks');
      if (data === null) throw notMinted(number);
      return { data };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/rock-images/{number}',
    access: 'public',
    summary: "A rock's picture, at most 400 pixels a side, or a drawing if there is none",
    params: rockNumber,
    answer: 'raw',
    handle: async ({ params: { number } }) => {
      const ready = await images.image(number);
      if (ready === null) throw notMinted(number);
      return { status: 200, ready };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/holders/{address}',
    access: 'public',
    summary:
      'The rocks of one address or name (example.sui), wherever they are held, and their share of the treasury: arithmetic, not a claim',
    params: holderParams,
    answer: holderAnswer,
    handle: async ({ params: { address: text } }) => {
      const name = canonicalWallet(text) === null ? text : undefined;
      const address = name === undefined ? text : await lookUpName(name);
      if (address === null) throw new Refused('not-found', `The name ${text} leads to no address, or has expired.`);
      if (!catalog.areOwnersRead()) return ownersNotReadYet;
      return { data: catalog.holder(address, treasury(), name) };
    },
  }),
];
