import type { FoundCollection } from '../../../market/contract.ts';
import { escapeHtml } from '../../../shared/escape-html.ts';
import { cardOf, collectionHtml, headline, joined, type Line } from '../../cards/parts.ts';
import { foreignHtml } from '../../cards/foreign-text.ts';
import type { MessageButton, MessageContent } from '../../cards/message-content.ts';
import { suiText } from '../../cards/price-text.ts';
import { progressText } from '../../cards/mint-progress.ts';
import { encodeAction } from './callback-data.ts';
import { exampleSupply, isSupplyRefusal, proposedSupply } from './supply-answer.ts';

const cancelOf = (setupKey: string): MessageButton => ({
  text: 'Cancel',
  data: encodeAction({ kind: 'cancel-setup', setupKey }),
});

/** A type has up to 66 letters of address and two names of Move. */
const slugGraphemesMax = 160;

export const slugLine = ({ slug }: FoundCollection): string => `<code>${foreignHtml(slug, slugGraphemesMax)}</code>`;

/** One collection per group (specification 9): a second /setup asks before it replaces. */
export const confirmReplace = (currentName: string, found: FoundCollection): MessageContent => {
  const setupKey = setupKeyOf(found);
  return cardOf(
    [
      `This group follows <b>${collectionHtml(currentName)}</b>. Replace it with <b>${collectionHtml(found.name)}</b>?`,
      slugLine(found),
      'One group follows one collection.',
    ],
    {
      imageUrl: found.imageUrl,
      buttons: [
        [
          { text: 'Replace', data: encodeAction({ kind: 'replace', isYes: true, setupKey }) },
          { text: 'Keep the current one', data: encodeAction({ kind: 'replace', isYes: false, setupKey }) },
        ],
      ],
    },
  );
};

const supplyText = (supply: number): string => String(supply).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

interface Present {
  readonly collectionName: string;
  readonly maxSupply: number | null;
}

/** For a collection that the group already follows only the maximum supply is confirmed. */
const alreadyLine = ({ collectionName, maxSupply }: Present): string => {
  const supply = maxSupply === null ? '' : `, maximum supply ${supplyText(maxSupply)}`;
  return `This group already follows <b>${collectionHtml(collectionName)}</b>${supply}. Only the maximum supply is asked for; everything else stays as it is.`;
};

/** Specification 2, step 3: name, picture, supply and maximum to confirm. `present`: it is followed already. */
export const confirmSupply = (found: FoundCollection, present: Present | null = null): MessageContent => {
  const lines = present === null ? foundLines(found) : [...foundLines(found), alreadyLine(present)];
  const proposed = proposedSupply(found);
  const setupKey = setupKeyOf(found);
  const cancel = cancelOf(setupKey);
  const other: MessageButton = { text: 'Enter another', data: encodeAction({ kind: 'enter-supply', setupKey }) };
  if (proposed === null)
    return cardOf([...lines, 'How many NFTs will it have at most?'], {
      imageUrl: found.imageUrl,
      buttons: [[{ ...other, text: 'Enter the number' }], [cancel]],
    });
  const { supply, isMaximum } = proposed;
  const question = isMaximum
    ? `Is the maximum supply <b>${supplyText(supply)}</b>?`
    : `So far <b>${supplyText(supply)}</b> exist. Is that the maximum supply, or will there be more?`;
  const use: MessageButton = {
    text: `Use ${supplyText(supply)}`,
    data: encodeAction({ kind: 'use-supply', supply, setupKey }),
  };
  return cardOf([...lines, question], { imageUrl: found.imageUrl, buttons: [[use, other], [cancel]] });
};

const foundLines = (found: FoundCollection): readonly Line[] => [
  headline('🪨', `Found: <b>${collectionHtml(found.name)}</b>${found.isVerified ? ', verified' : ''}`),
  slugLine(found),
  joined([
    found.mintedCount === null ? null : progressText(found.mintedCount, null),
    found.floorMist === null ? null : `Floor ${suiText(found.floorMist)}`,
  ]),
];

const supplyQuestion = (mintedCount: number | null): string =>
  `Reply to this message with the maximum supply, a whole number such as ${exampleSupply(mintedCount)}.`;

/** A question to reply to: with privacy mode on, a bot in a group gets only commands and replies to it. */
export const enterSupply = ({ mintedCount }: Pick<FoundCollection, 'mintedCount'>): MessageContent =>
  cardOf([supplyQuestion(mintedCount)]);

/** Whether a message of the bot asked for the supply, at first or again: its text as Telegram returns it. */
export const asksForSupply = (text: string): boolean =>
  /^Reply to this message with the maximum supply, a whole number such as [\d,]+\.$/.test(text) ||
  isSupplyRefusal(text);

export const supplyRefused = (problem: string): MessageContent => cardOf([escapeHtml(problem)]);

interface Done {
  readonly name: string;
  readonly maxSupply: number;
  /** Notifications go to the topic of the setup. */
  readonly isTopic: boolean;
}

export const setupDone = ({ name, maxSupply, isTopic }: Done): MessageContent =>
  cardOf([
    headline('✅', `This group now follows <b>${collectionHtml(name)}</b>, maximum supply ${supplyText(maxSupply)}.`),
    `Mints, sales, listings and bids are on and come ${isTopic ? 'to this topic' : 'here'}. Choose with /tracking, see a sample with /test.`,
    'What happened before now is not posted.',
  ]);

/** The group followed this collection before. */
export const supplyConfirmed = ({ name, maxSupply, isTopic }: Done): MessageContent =>
  cardOf([
    headline('✅', `This group follows <b>${collectionHtml(name)}</b>, maximum supply ${supplyText(maxSupply)}.`),
    `All other settings stay as they were. Notifications come ${isTopic ? 'to this topic' : 'here'}.`,
  ]);

export const setupCancelled = (): MessageContent => cardOf(['Setup cancelled. Nothing was changed.']);

export const setupExpired = (): MessageContent =>
  cardOf(['This setup has expired. Nothing was changed. Please send /setup with the collection address again.']);

/**
 * Distinguishes the setup questions of one collection from another's: 8 hex digits (FNV-1a). An interrupted setup asks
 * again, and its first question must still count.
 */
export const setupKeyOf = ({ slug }: { readonly slug: string }): string => {
  let hash = 0x811c9dc5;
  for (const char of slug) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
};
