import { z } from 'zod';
import type { FastifyReply, FastifySchemaCompiler } from 'fastify';

import { databaseOutage } from '../db/outage.ts';
import { Invalid, Refused, Unavailable } from '../shared/failure.ts';

/** Rulings R2: every failure is one sentence a person can act on and a stable code. */
export const failureBody = z.strictObject({
  message: z.string().describe('One sentence a person can act on'),
  code: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    .describe('Stable kebab-case code'),
});

export interface FailureAnswer {
  readonly status: number;
  readonly body: z.infer<typeof failureBody>;
  readonly retryAfterSeconds?: number;
  /** True when the fault is ours: worth an error line in the log. */
  readonly ours: boolean;
}

const answer = (status: number, code: string, message: string): FailureAnswer => ({
  status,
  body: { message, code },
  ours: false,
});

const internalFailure: FailureAnswer = {
  ...answer(500, 'internal-error', 'Something went wrong on our side. Try again in a minute.'),
  ours: true,
};

/** What the framework itself refuses, by its error code (fastify/docs/Reference/Errors.md). */
const frameworkAnswers: Readonly<Record<string, FailureAnswer>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: answer(415, 'unsupported-media-type', 'Send the body as application/json.'),
  FST_ERR_CTP_INVALID_JSON_BODY: answer(400, 'malformed-json', 'The body is not valid JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: answer(400, 'wrong-content-length', 'The body is not as long as announced.'),
  FST_ERR_BAD_URL: answer(400, 'malformed-address', 'The address is malformed. Check its percent-encoding.'),
  FST_ERR_MAX_PARAM_LENGTH: answer(414, 'address-too-long', 'A part of the address is too long.'),
};

const bodyTooLarge = (bytes?: number): FailureAnswer => {
  const limit = bytes === undefined ? 'allowed' : `${Math.floor(bytes / 1_024)} kB`;
  return answer(413, 'body-too-large', `The body is larger than ${limit}. Send less.`);
};
export const addressTooLong = answer(414, 'address-too-long', 'The address is too long.');
export const noSuchCall = answer(404, 'not-found', 'There is no such call. All calls are listed at /api/openapi.json.');
export const foreignOrigin = answer(403, 'foreign-origin', 'Calls from other sites are refused. Use the site itself.');
export const wrongMethod = (allowed: string): FailureAnswer =>
  answer(405, 'method-not-allowed', `This address does not answer that method. Allowed: ${allowed}.`);

/** Refusals that have a status of their own; any other is a 403. */
const refusedStatuses: Readonly<Record<string, number>> = { 'not-signed-in': 401, 'not-found': 404, stale: 409 };

/** The answer for anything thrown; `bodyBytes` is the call's size limit. Never shows an unknown error, a stack or an upstream's message. */
export function failureAnswerFor(error: unknown, bodyBytes?: number): FailureAnswer {
  if (error instanceof Unavailable) return unavailableAnswer(error);
  if (error instanceof Refused) return refusedAnswer(error);
  if (error instanceof Invalid) return answer(400, error.reason, error.message);
  if (!(error instanceof Error)) return internalFailure;
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyBytes);
  const known = typeof code === 'string' ? frameworkAnswers[code] : undefined;
  if (known !== undefined) return known;
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return answer(statusCode, 'bad-request', 'The request could not be understood.');
  }
  const outage = databaseOutage(error);
  return outage === null ? internalFailure : unavailableAnswer(outage);
}

function refusedAnswer({ reason, message, status, retryAfterMs }: Refused): FailureAnswer {
  const refused = answer(status ?? refusedStatuses[reason] ?? 403, reason, message);
  return retryAfterMs === null ? refused : { ...refused, retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
}

/** Names the upstream that does not answer. Its own message goes only to the log: it is not for visitors. */
function unavailableAnswer(error: Unavailable): FailureAnswer {
  const retryAfterSeconds = Math.min(Math.max(Math.ceil((error.retryAfterMs ?? 30_000) / 1_000), 1), 3_600);
  const what = error.upstream === null ? 'This is not available' : `${error.upstream} does not answer`;
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
  const message = `${what} right now. Try again in ${wait}.`;
  return { ...answer(503, error.reason, message), retryAfterSeconds };
}

/** Sends a failure in the form of rulings R2. Never cached: it may be over in a second. */
export function sendFailure(reply: FastifyReply, failure: FailureAnswer): FastifyReply {
  const { message, code } = failure.body;
  reply.code(failure.status).header('Cache-Control', 'no-store').removeHeader('Content-Disposition');
  if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', failure.retryAfterSeconds);
  return reply.type('application/json; charset=utf-8').send(JSON.stringify({ message, code }));
}

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
    // Default messages are left empty, so that a schema's own message can be recognised.
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
      return 'it is not in the expected form';
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
