import type { FoundCollection } from '../../../market/contract.ts';
import { escapeHtml } from '../../../shared/foreign-text.ts';
import {
  cardOf,
  collectionHtml,
  headline,
  joined,
  type Line,
  foreignHtml,
  type MessageButton,
  type MessageContent,
} from '../../cards/parts.ts';
import { suiText } from '../../cards/price-text.ts';
import { countText, progressText, supplyMax } from '../../cards/mint-progress.ts';
import { encodeAction } from './callback-data.ts';

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

interface Present {
  readonly collectionName: string;
  readonly maxSupply: number | null;
}

/** For a collection that the group already follows only the maximum supply is confirmed. */
const alreadyLine = ({ collectionName, maxSupply }: Present): string => {
  const supply = maxSupply === null ? '' : `, maximum supply ${countText(maxSupply)}`;
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
    ? `Is the maximum supply <b>${countText(supply)}</b>?`
    : `So far <b>${countText(supply)}</b> exist. Is that the maximum supply, or will there be more?`;
  const use: MessageButton = {
    text: `Use ${countText(supply)}`,
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
  readonly isTopic: boolean;
}

export const setupDone = ({ name, maxSupply, isTopic }: Done): MessageContent =>
  cardOf([
    headline('✅', `This group now follows <b>${collectionHtml(name)}</b>, maximum supply ${countText(maxSupply)}.`),
    `Mints, sales, listings and bids are on and come ${isTopic ? 'to this topic' : 'here'}. Choose with /tracking, see a sample with /test.`,
    'What happened before now is not posted.',
  ]);

/** The group followed this collection before. */
export const supplyConfirmed = ({ name, maxSupply, isTopic }: Done): MessageContent =>
  cardOf([
    headline('✅', `This group follows <b>${collectionHtml(name)}</b>, maximum supply ${countText(maxSupply)}.`),
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

type SupplyAnswer =
  | { readonly kind: 'supply'; readonly supply: number }
  /** One sentence that says what to send instead. */
  | { readonly kind: 'refused'; readonly problem: string };

/** An acceptable example: not below what is minted already. */
const exampleSupply = (mintedCount: number | null): string => countText(Math.max(555, mintedCount ?? 0));

/** Each says what to send instead. */
const problemsOf = (mintedCount: number | null) => {
  const example = `for example ${exampleSupply(mintedCount)}`;
  return {
    empty: `Please send the maximum supply as a number, ${example}.`,
    negative: `A supply cannot be negative. Please send a whole number, ${example}.`,
    decimals: `A supply is a whole number. Please send it without decimals, ${example}.`,
    noNumber: `That is not a number. Please send the maximum supply in digits only, ${example}.`,
    zero: `A supply of 0 leaves nothing to mint. Please send a whole number, ${example}.`,
    tooSmall: `${countText(mintedCount ?? 0)} are minted already, so the maximum supply cannot be lower. Please send at least that number.`,
    tooLarge: `That is more than 1,000,000,000. Please send a smaller number, ${example}.`,
  };
};

const withoutNumbers = (text: string): string => text.replaceAll(/\d[\d,]*/g, '#');
const refusalShapes = new Set(Object.values(problemsOf(null)).map(withoutNumbers));

/** Whether this text refuses a supply, whatever its numbers. */
const isSupplyRefusal = (text: string): boolean => refusalShapes.has(withoutNumbers(text));

const refused = (problem: string): SupplyAnswer => ({ kind: 'refused', problem });

/** Digits, or digits in groups of three as people write large numbers: `10,000`, `10 000`, `10.000`, `10_000`. */
const plain = /^\d+$/;
const grouped = /^\d{1,3}([,._ ' ])\d{3}(?:\1\d{3})*$/;

/** A typed maximum supply. `mintedCount`: the minimum; null: unknown. */
export const parseSupply = (text: string, mintedCount: number | null = null): SupplyAnswer => {
  const typed = text.trim();
  const problems = problemsOf(mintedCount);
  if (typed === '') return refused(problems.empty);
  if (/^-\s*\d/.test(typed)) return refused(problems.negative);
  if (!plain.test(typed) && !grouped.test(typed)) {
    return /^\d+[.,]\d+$/.test(typed) ? refused(problems.decimals) : refused(problems.noNumber);
  }
  const digits = typed.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  if (digits === '0') return refused(problems.zero);
  if (digits.length > 10 || Number(digits) > supplyMax) return refused(problems.tooLarge);
  if (mintedCount !== null && Number(digits) < mintedCount) return refused(problems.tooSmall);
  return { kind: 'supply', supply: Number(digits) };
};

/**
 * What the setup proposes: the stated maximum or else what exists now, which is right only once the mint is over
 * (rulings R3: a marketplace's supply is what is minted). null: nothing to propose.
 */
export const proposedSupply = (
  found: FoundCollection,
): { readonly supply: number; readonly isMaximum: boolean } | null => {
  const supply = found.maxSupply ?? found.mintedCount;
  const isUsable = supply !== null && Number.isInteger(supply) && supply >= 1 && supply <= supplyMax;
  return isUsable ? { supply, isMaximum: found.maxSupply !== null } : null;
};

/** From here an extra zero is likelier than a mint that has only begun. */
const farAboveTimes = 10;

interface Typed {
  readonly found: FoundCollection;
  /** As typed now. */
  readonly supply: number;
  /** The message that was replied to. */
  readonly repliesTo: string;
}

/** A maximum far above what was found is asked for twice: the same reply again is accepted. null: no doubt. */
export function supplyDoubt({ found, supply, repliesTo }: Typed): MessageContent | null {
  const proposed = proposedSupply(found);
  if (proposed === null || supply < proposed.supply * farAboveTimes) return null;
  const asked = `${countText(supply)} is far more than the ${countText(proposed.supply)} found.`;
  if (repliesTo.startsWith(asked)) return null;
  return cardOf([
    `${asked} If it is right, reply to this message with ${supply} again; if not, with the right number.`,
  ]);
}

/** Its text as Telegram returns it. */
export const isSupplyDoubt = (text: string): boolean => /^[\d,]+ is far more than the [\d,]+ found\./.test(text);
