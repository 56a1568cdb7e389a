import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';

import { Invalid } from '../shared/failure.ts';

const partNames: Readonly<Record<string, string>> = { params: 'address', querystring: 'query', body: 'body' };
const shownLength = 60;

/** A part of a request for which the route has no schema: nothing, or `{}`. */
export const noInput = z.strictObject({}).nullable();

/** Unknown fields are refused by name (rulings R2). */
export const closed = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodObject ? schema.strict() : schema);

/** Refuses a request for its unknown fields, by name, or else for the first other problem (rulings R2). */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart = '' }) =>
  (value: unknown) => {
    // Default messages are left empty, so that a schema's own message can be recognized.
    const parsed = schema.safeParse(value, { error: () => '' });
    return parsed.success ? { value: parsed.data } : { error: problemOf(partNames[httpPart] ?? '', parsed.error) };
  };

function problemOf(part: string, error: z.ZodError): Invalid {
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown !== undefined) {
    const names = unknown.keys.slice(0, 5).map((key) => `"${shorten(key)}"`);
    const [field, verb] = names.length === 1 ? ['field', 'is'] : ['fields', 'are'];
    return new Invalid('unknown-field', `The ${field} ${names.join(', ')} of the ${part} ${verb} not known.`);
  }
  const [issue] = error.issues;
  // A schema's own message that is a whole sentence is the answer (specification 5).
  if (issue !== undefined && /^[A-Z].*\.$/.test(issue.message)) return new Invalid('invalid-input', issue.message);
  const path = issue?.path.map(String).join('.') ?? '';
  const where = path === '' ? `The ${part}` : `The field "${shorten(path)}" of the ${part}`;
  return new Invalid(
    'invalid-input',
    `${where} is not valid: ${issue === undefined ? 'unexpected value' : problemSentence(issue)}.`,
  );
}

const shorten = (text: string): string => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);

type Issue = z.core.$ZodIssue;

/** A long list of allowed values is not shown whole. */
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

const entries = ['entry', 'entries'] as const;
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: entries,
  set: entries,
};

/**
 * What is expected instead, in the product's own words: the validator's messages are for programmers. A schema's own
 * message (`custom`) is kept.
 */
export function problemSentence(issue: Issue): string {
  switch (issue.code) {
    case 'too_big':
      return `at most ${boundText(issue.maximum, issue)} expected`;
    case 'too_small':
      return `at least ${boundText(issue.minimum, issue)} expected`;
    case 'invalid_type':
      return `${kinds[issue.expected] ?? 'another kind of value'} is expected`;
    case 'invalid_value':
      return `one of ${issue.values.slice(0, shownValues).map(String).join(', ')} is expected`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'a time such as 2026-11-30T00:00:00Z is expected'
        : 'it is not in the expected form';
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor} is expected`;
    case 'custom':
      return issue.message.slice(0, 200).replace(/\.$/, '') || 'it is not one of the expected forms';
    default:
      return 'it is not one of the expected forms';
  }
}

/** `1 character is`, `2 entries are`; for a plain number `90 is`. */
function boundText(bound: number | bigint, { origin }: { readonly origin: string }): string {
  const unit = units[origin];
  if (unit === undefined) return `${bound} is`;
  return Number(bound) === 1 ? `1 ${unit[0]} is` : `${bound} ${unit[1]} are`;
}
