import type { CollectionLookup } from '../../../market/contract.ts';
import { escapeHtml } from '../../../shared/escape-html.ts';
import { cardOf, collectionHtml, type Line } from '../../cards/parts.ts';
import type { MessageContent } from '../../cards/message-content.ts';
import { exampleLine, linkExampleLine, setupUsage, slugLine, whereLine } from './setup-texts.ts';

type NotFound = Exclude<CollectionLookup, { kind: 'found' }>;

const malformedSentences = {
  'foreign-chain':
    'That belongs to another chain. This bot tracks collections on Sui: their addresses are 0x and 64 digits, often followed by ::module::Type.',
  wallet: 'That looks like a wallet, not a collection. Please send the contract address of the collection.',
  coin: 'That is a coin, not an NFT collection. Please send the contract address of the collection.',
  'other-link':
    'That link does not lead to a collection at the marketplace. Please send the link of its page there, or its contract address.',
  unreadable: 'That is not a contract address.',
} as const;

const unverifiedLines = (lookup: Extract<NotFound, { kind: 'unverified' }>): readonly Line[] => {
  const name = `<b>${collectionHtml(lookup.collection.name)}</b>`;
  const [first, ...others] = lookup.verified;
  if (first === undefined)
    return [
      `${name} is not verified at the marketplace, so nobody confirms that it is the real one. Please send the address of a verified collection.`,
      whereLine,
    ];
  return [
    `This ${name} is not verified at the marketplace. ${others.length === 0 ? 'A verified collection of that name is' : 'Verified collections of that name are'} below: if you meant it, send /setup with its address.`,
    ...lookup.verified.slice(0, 3).map(slugLine),
  ];
};

const unknownSentence = ({ existsOnChain, isName }: Extract<NotFound, { kind: 'unknown' }>): string => {
  if (existsOnChain)
    return 'This exists on Sui, but the marketplace does not know it as a collection, so there is nothing to track. Please send the address of a collection that is traded there.';
  return isName
    ? 'The marketplace knows no collection by that name. Please send its contract address, or the link of its page there.'
    : 'Neither the marketplace nor Sui knows this address. Please check that you copied all of it, then send /setup again.';
};

/** A lookup that found nothing to track: one sentence that says what to send instead. */
export const lookupRefusal = (lookup: NotFound): MessageContent => {
  switch (lookup.kind) {
    case 'malformed':
      return cardOf([
        escapeHtml(malformedSentences[lookup.problem]),
        lookup.problem === 'other-link' ? linkExampleLine : exampleLine,
        whereLine,
      ]);
    case 'unknown':
      return cardOf([unknownSentence(lookup), whereLine]);
    case 'unverified':
      return cardOf(unverifiedLines(lookup));
  }
  return setupUsage();
};
