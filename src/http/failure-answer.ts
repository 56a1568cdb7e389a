import { z } from 'zod';
import type { FastifyReply } from 'fastify';

import { databaseOutage } from '../db/outage.ts';
import { Invalid, Refused, Unavailable } from '../shared/failure.ts';

/** Rulings R2: every failure is one sentence a person can act on and a stable code. */
export const failureBody = z
  .strictObject({
    message: z.string().describe('One sentence a person can act on'),
    code: z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
      .describe('Stable kebab-case code'),
  })
  .meta({ id: 'Failure' });

export interface FailureAnswer {
  readonly status: number;
  readonly body: z.infer<typeof failureBody>;
  readonly retryAfterSeconds?: number;
  /** The product's own fault: worth an error line in the log. */
  readonly isServerFault: boolean;
}

const answer = (status: number, code: string, message: string): FailureAnswer => ({
  status,
  body: { message, code },
  isServerFault: false,
});

const internalFailure: FailureAnswer = {
  ...answer(500, 'internal-error', 'Something went wrong on our side. Try again in a minute.'),
  isServerFault: true,
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
export const noSuchCall = answer(404, 'not-found', 'There is no such call. All calls are listed at /api/openapi.json.');
/** Names the address: it may be our own page, opened at another one. */
export const foreignOrigin = (publicUrl: string): FailureAnswer =>
  answer(403, 'foreign-origin', `Calls from other sites are refused. Use this one at ${publicUrl} (PUBLIC_URL).`);
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
