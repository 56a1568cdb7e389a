import type { FoundCollection } from '../../../market/contract.ts';
import {
  cardOf,
  collectionHtml,
  headline,
  joined,
  type Line,
  foreignHtml,
  type MessageButton,
  type MessageContent,
} from '../../cards/message-html.ts';
import { suiText } from '../../../shared/money.ts';
import { countText, progressText, supplyMax } from '../../cards/mint-progress.ts';
import { type BotAction, encodeAction } from './callback-data.ts';

/** A type has an address of up to 66 characters and two Move names. */
const slugGraphemesMax = 160;

export const slugLine = ({ slug }: FoundCollection): string => `<code>${foreignHtml(slug, slugGraphemesMax)}</code>`;

/** What the group follows now. */
interface Present {
  readonly collectionName: string;
  readonly maxSupply: number | null;
  readonly isSame: boolean;
}

/** One collection per group (specification 9): a new one replaces the present one. */
const presentLine = ({ collectionName, maxSupply, isSame }: Present, found: FoundCollection): string => {
  const followed = `<b>${collectionHtml(collectionName)}</b>`;
  if (!isSame)
    return `This group follows ${followed}. Replace it with <b>${collectionHtml(found.name)}</b>? One group follows one collection.`;
  const supply = maxSupply === null ? '' : `, maximum supply ${countText(maxSupply)}`;
  return `This group already follows ${followed}${supply}. Only the maximum supply is asked for; the /tracking settings stay as they are.`;
};

const firstLabels = { use: 'Use', enter: 'Enter', cancel: 'Cancel' };
const replacingLabels = { use: 'Replace, use', enter: 'Replace, enter', cancel: 'Keep the current one' };

/** Specification 2, step 3: name, picture, supply and maximum to confirm. */
export const confirmSupply = (found: FoundCollection, present: Present | null = null): MessageContent => {
  const proposed = proposedSupply(found);
  const setupKey = setupKeyOf(found);
  const isReplacing = present !== null && !present.isSame;
  const labels = isReplacing ? replacingLabels : firstLabels;
  const button = (text: string, action: BotAction): MessageButton => ({ text, data: encodeAction(action) });
  const use = (supply: number): MessageButton =>
    button(`${labels.use} ${countText(supply)}`, ['use-supply', setupKey, supply]);
  const enter = button(`${labels.enter} ${proposed === null ? 'the number' : 'another'}`, ['enter-supply', setupKey]);
  const choices = proposed === null ? [enter] : [use(proposed.supply), enter];
  // The longer labels need a row each on a phone.
  const rows = isReplacing ? choices.map((choice) => [choice]) : [choices];
  return cardOf([...foundLines(found), present && presentLine(present, found), maximumQuestion(proposed)], {
    imageUrl: found.imageUrl,
    buttons: [...rows, [button(labels.cancel, ['cancel-setup', setupKey])]],
  });
};

const maximumQuestion = (proposed: Proposal | null): string => {
  if (proposed === null) return 'What will its maximum supply be?';
  const supply = `<b>${countText(proposed.supply)}</b>`;
  return proposed.isMaximum
    ? `Is the maximum supply ${supply}?`
    : `So far ${supply} exist. Is that the maximum supply, or will there be more?`;
};

const foundLines = (found: FoundCollection): readonly Line[] => [
  headline('🪨', `Found: <b>${collectionHtml(found.name)}</b>${found.isVerified ? ', verified' : ''}`),
  slugLine(found),
  joined([
    found.mintedCount === null ? null : progressText(found.mintedCount, null),
    found.floorMist === null ? null : `Floor ${suiText(found.floorMist)}`,
  ]),
];

const askingWords = 'Reply to this message with the maximum supply';

/** A question to reply to: with privacy mode on, a bot in a group gets only commands and replies to its messages. `problem`: why it asks again. */
export const enterSupply = (
  { mintedCount }: Pick<FoundCollection, 'mintedCount'>,
  problem: string | null = null,
): MessageContent => {
  // An example that would be accepted: not below the number minted already.
  const example = countText(Math.max(555, mintedCount ?? 0));
  return cardOf([problem, `${askingWords}, a whole number such as ${example}.`]);
};

/** Whether a message of the bot, by its text as Telegram returns it, asked for the supply, at first or again. */
export const asksForSupply = (text: string): boolean => supplyQuestion.test(text);
/** Matches a whole line, as the name of a piece on a card may contain the words. */
const supplyQuestion = new RegExp(String.raw`(^|\n)${askingWords}, a whole number such as [\d,]+\.$`);

interface Done {
  readonly name: string;
  readonly maxSupply: number;
  /** Where notifications come, as seen from the question. */
  readonly place: 'here' | 'to this topic' | 'to their own topic';
}

export const setupDone = ({ name, maxSupply, place }: Done): MessageContent =>
  cardOf([
    headline('✅', `This group now follows <b>${collectionHtml(name)}</b>, maximum supply ${countText(maxSupply)}.`),
    `Mints, sales, listings and bids are on and come ${place}. Choose with /tracking, see a sample with /test.`,
    'Earlier events are not posted.',
  ]);

/** The group followed this collection before. */
export const supplyConfirmed = ({ name, maxSupply, place }: Done): MessageContent =>
  cardOf([
    headline('✅', `This group follows <b>${collectionHtml(name)}</b>, maximum supply ${countText(maxSupply)}.`),
    `All other settings stay as they were. Notifications come ${place}.`,
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
  { readonly kind: 'supply'; readonly supply: number } | { readonly kind: 'refused'; readonly problem: string };

/** Digits, or digits in groups of three as people write large numbers: `10,000`, `10 000`, `10.000`, `10_000`. */
const plain = /^\d+$/;
const grouped = /^\d{1,3}([,._ ' ])\d{3}(?:\1\d{3})*$/;

const refused = (problem: string): SupplyAnswer => ({ kind: 'refused', problem });

/** A typed maximum supply. `mintedCount`: the minimum; null: unknown. */
export const parseSupply = (text: string, mintedCount: number | null = null): SupplyAnswer => {
  const typed = text.trim();
  const digits = plain.test(typed) || grouped.test(typed) ? typed.replaceAll(/\D/g, '').replace(/^0+/, '') : '';
  if (digits === '') return refused('That is not a whole number, 1 or more, in digits.');
  const supply = Number(digits);
  if (supply > supplyMax) return refused(`That is more than ${countText(supplyMax)}.`);
  if (mintedCount !== null && supply < mintedCount)
    return refused(`${countText(mintedCount)} are minted already, so the maximum supply cannot be lower.`);
  return { kind: 'supply', supply };
};

interface Proposal {
  readonly supply: number;
  readonly isMaximum: boolean;
}

/**
 * What the setup proposes: the stated maximum, or else the number that exists now, which is right only once the mint is
 * over (rulings R3: a marketplace's supply is the number minted). null: nothing to propose.
 */
export const proposedSupply = (found: FoundCollection): Proposal | null => {
  const supply = found.maxSupply ?? found.mintedCount;
  const isUsable = supply !== null && Number.isInteger(supply) && supply >= 1 && supply <= supplyMax;
  return isUsable ? { supply, isMaximum: found.maxSupply !== null } : null;
};
