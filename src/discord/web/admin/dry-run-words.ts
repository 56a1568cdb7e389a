import { foreignText } from '../../../shared/foreign-text.ts';
import { shortType } from '../../../shared/sui-address.ts';
import type { DryRunResult } from './discord-answers.ts';
import { counted, whole } from './server-words.ts';

const people = (count: number): string => (count === 0 ? 'nobody' : whole(count));

/** 'Gives the role to 41, takes it from 3.', and whatever else is to be known before a save. */
export function dryRunInWords(result: DryRunResult): { readonly headline: string; readonly more: readonly string[] } {
  const { isConfigured, verifiedCount, gives, takes, keeps, losing, unknown } = result;
  if (verifiedCount === 0) {
    return { headline: 'Changes nothing: nobody has linked a wallet in this server yet.', more: [] };
  }
  if (result.hasRole === false) {
    return {
      headline: 'No role is chosen, or it was deleted: nobody gets a role until /setup names one.',
      more: [],
    };
  }
  const headline =
    isConfigured === true && gives === 0
      ? 'Changes nothing: this contract is already in use here.'
      : `Gives the role to ${people(gives)}, takes it from ${people(takes)}.`;
  return {
    headline,
    more: [
      keeps === null || keeps === 0 ? [] : `${whole(keeps)} ${keeps === 1 ? 'keeps' : 'keep'} it.`,
      losing === null || losing === 0 ? [] : `${counted(losing, 'member')} will lose the role regardless.`,
      unknown === null || unknown === 0
        ? []
        : `${whole(unknown)} could not be checked now: nothing would change for them.`,
      takes === 0 ? [] : 'Nobody loses it at once: only after two checks and the grace period.',
    ].flat(),
  };
}

/** What the chain or the marketplace calls it, which is untrusted text. */
export const foundInWords = ({ foundName, nftType }: Pick<DryRunResult, 'foundName' | 'nftType'>): string | null => {
  const found = [
    ...(foundName === null ? [] : [`‘${foreignText(foundName, 60)}’`]),
    ...(nftType === null ? [] : [shortType(nftType)]),
  ];
  return found.length === 0 ? null : `Found ${found.join(', ')}`;
};
