import type { CollectionLookup, FoundCollection } from '../../market/contract.ts';
import { escapeHtml } from '../../shared/foreign-text.ts';
import { Unavailable } from '../../shared/failure.ts';
import { canonicalAddress, canonicalType } from '../../shared/sui-address.ts';
import type { BotDeps } from '../bot-deps.ts';
import { cardOf, collectionHtml, type Line, type MessageContent } from '../cards/message-html.ts';
import type { Configuration } from '../configs/configuration-store.ts';
import type { Command } from './command.ts';
import { unavailableAnswer } from '../cards/chat-texts.ts';
import { confirmSupply, slugLine } from './texts/setup-texts.ts';

/** Longer than any address, type or link; the rest is cut off. */
const longestTerm = 1_000;

/** Rulings R4: /setup <address or type or marketplace link>; asks before anything is stored (setup-answers.ts). */
export const setup: Command = {
  name: 'setup',
  who: 'group-admins',
  where: 'groups',
  menuLine: 'Connect this group to a collection',
  example: '/setup 0x1234…abcd::module::Nft',
  page: {
    usage: '/setup <contract address>',
    text: 'Connects this group to a collection and asks you to confirm its maximum supply. Run it again to change the collection; the bot asks before it replaces anything.',
  },
  handle: async ({ chatId, topicId, typed, answer }, deps) => {
    const term = typed.slice(0, longestTerm);
    if (term === '') return answer(setupUsage());
    const lookup = await deps.activity.lookUp(term).catch(outageOf);
    if (lookup instanceof Unavailable) return answer(unavailableAnswer(lookup));
    if (lookup.kind !== 'found') return answer(lookupRefusal(lookup));
    const found = lookup.collection;
    const present = await deps.configurations.ofChat(chatId);
    const collectionId = canonicalType(term) ?? canonicalAddress(term) ?? found.slug;
    const isSame = present !== null && (await follows(deps, present, collectionId, found));
    await deps.setups.begin(chatId, { topicId, collectionId, found });
    answer(confirmSupply(found, present && { ...present, isSame }));
  },
};

/** Whether the group already follows this collection, whichever of its names was sent. */
async function follows(
  { activity }: BotDeps,
  present: Configuration,
  collectionId: string,
  found: FoundCollection,
): Promise<boolean> {
  if (present.hexCollectionId !== null) return present.collectionId === collectionId;
  const id = present.trackedCollectionId;
  return (await activity.tracked([id])).get(id)?.marketId === found.marketId;
}

/** Returns an outage, so that it can be answered; throws anything else. */
export const outageOf = (error: unknown): Unavailable => {
  if (error instanceof Unavailable) return error;
  throw error;
};

const exampleLine = 'For example: <code>/setup 0x1234…abcd::module::Nft</code>';
const linkExampleLine = 'For example: <code>/setup tradeport.xyz/sui/collection/sui-rocks</code>';
const whereLine = 'Copy the contract address, or the link, from the verified collection page at the marketplace.';

export const setupUsage = (): MessageContent =>
  cardOf(['Send /setup followed by the collection contract address.', exampleLine, whereLine]);

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
    `This ${name} is not verified at the marketplace. ${others.length === 0 ? 'A verified collection of that name is below: if you meant it,' : 'Verified collections of that name are below: if you meant one of them,'} send /setup with its address.`,
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
    default:
      return lookup satisfies never;
  }
};
