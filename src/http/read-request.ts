import { z } from 'zod';

import { Invalid } from '../shared/failure.ts';
import type { Route, RouteRequest } from './route.ts';

type Part = 'params' | 'query' | 'body';
type Parts = Pick<RouteRequest, Part>;

export type ReadRequest = (given: Parts) => Parts;

const partNames: Readonly<Record<Part, string>> = { params: 'address', query: 'query', body: 'body' };
const shownLength = 60;

/** Throws Invalid with the first thing that is wrong, unknown fields by name (rulings R2). */
export function createRequestReader(route: Pick<Route, Part>): ReadRequest {
  const schemas = { params: closed(route.params), query: closed(route.query), body: closed(route.body) };
  const read = (part: Part, value: unknown): unknown => {
    // A call without a body schema may still come with `{}` or with nothing.
    const given = value ?? (route[part] === undefined || part !== 'body' ? {} : value);
    // Issues that no schema has words for come without any, so that a schema's own can be told apart.
    const parsed = schemas[part].safeParse(given, { error: () => '' });
    if (parsed.success) return parsed.data;
    throw problemOf(part, parsed.error);
  };
  return ({ params, query, body }) => ({
    params: read('params', params),
    query: read('query', query),
    body: read('body', body),
  });
}

/** Unknown fields are refused by name (rulings R2). */
export function closed(schema: z.ZodType | undefined): z.ZodType {
  if (schema === undefined) return z.strictObject({});
  return schema instanceof z.ZodObject ? schema.strict() : schema;
}

function problemOf(part: Part, error: z.ZodError): Invalid {
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown !== undefined) {
    const names = unknown.keys.slice(0, 5).map((key) => `"${shorten(key)}"`);
    const [field, verb] = names.length === 1 ? ['field', 'is'] : ['fields', 'are'];
    return new Invalid(
      'unknown-field',
      `The ${field} ${names.join(', ')} of the ${partNames[part]} ${verb} not known.`,
    );
  }
  const [issue] = error.issues;
  // A whole sentence of the schema's own is the answer (specification 5).
  if (issue !== undefined && /^[A-Z].*\.$/.test(issue.message)) return new Invalid('invalid-input', issue.message);
  const path = issue?.path.map(String).join('.') ?? '';
  const where = path === '' ? `The ${partNames[part]}` : `The field "${shorten(path)}" of the ${partNames[part]}`;
  return new Invalid(
    'invalid-input',
    `${where} is not valid: ${issue === undefined ? 'unexpected value' : problemSentence(issue)}.`,
  );
}

const shorten = (text: string): string => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);

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
