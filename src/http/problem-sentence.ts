import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** A lone bound, or a list of allowed words, is short; a schema with a long list is not shown whole. */
const shownValues = 10;

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' };

/**
 * What is expected instead, in the product's own words: the validator's are for programmers. A sentence that a schema
 * wrote itself (`custom`) is kept.
 */
export function problemSentence(issue: Issue): string {
  switch (issue.code) {
    case 'too_big':
      return `at most ${issue.maximum}${units[issue.origin] ?? ''} ${verb(issue)} expected`;
    case 'too_small':
      return `at least ${issue.minimum}${units[issue.origin] ?? ''} ${verb(issue)} expected`;
    case 'invalid_type':
      return `${kinds[issue.expected] ?? 'another kind of value'} is expected`;
    case 'invalid_value':
      return `one of ${issue.values.slice(0, shownValues).map(String).join(', ')} is expected`;
    case 'invalid_format':
      return 'it is not in the expected form';
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor} is expected`;
    case 'custom':
      return issue.message.slice(0, 200).replace(/\.$/, '') || 'it is not one of the expected forms';
    default:
      return 'it is not one of the expected forms';
  }
}

const verb = ({ origin }: { readonly origin: string }): string => (units[origin] === undefined ? 'is' : 'are');
