import { expect, it } from 'vitest';
import { z } from 'zod';

import { Unavailable } from '../shared/failure.ts';
import { failureAnswerFor } from './failure-answer.ts';
import { validatorCompiler } from './validate-request.ts';

const query = z.object({
  days: z.coerce.number().int().min(1).max(90).default(30),
  order: z.enum(['up', 'down']).default('up'),
  search: z.string().min(2).max(5).default('rock'),
  place: z.string().min(1).optional(),
  from: z.iso.datetime().optional(),
  rocks: z.array(z.int()).min(1).max(2).optional(),
});
const validate = validatorCompiler({ schema: query, method: 'GET', url: '/', httpPart: 'querystring' });
const complaintOf = (given: unknown): string => String((validate(given) as { error?: Error }).error);

it.each([
  [{ days: '9999' }, 'The field "days" of the query is not valid: at most 90 is expected.'],
  [{ days: '0' }, 'The field "days" of the query is not valid: at least 1 is expected.'],
  [{ days: '1.5' }, 'The field "days" of the query is not valid: a whole number is expected.'],
  [{ days: 'many' }, 'The field "days" of the query is not valid: a number is expected.'],
  [{ order: 'left' }, 'The field "order" of the query is not valid: one of up, down is expected.'],
  [{ search: 'x' }, 'The field "search" of the query is not valid: at least 2 characters are expected.'],
  [{ search: 'stones' }, 'The field "search" of the query is not valid: at most 5 characters are expected.'],
  [{ place: '' }, 'The field "place" of the query is not valid: at least 1 character is expected.'],
  [
    { from: '2026-11-30' },
    'The field "from" of the query is not valid: a time such as 2026-11-30T00:00:00Z is expected.',
  ],
  [{ rocks: [] }, 'The field "rocks" of the query is not valid: at least 1 entry is expected.'],
  [{ rocks: [1, 2, 3] }, 'The field "rocks" of the query is not valid: at most 2 entries are expected.'],
])("%j is refused in the product's own words", (given, sentence) => {
  expect(complaintOf(given)).toContain(sentence);
});

it.each([
  [1, 'Try again in 1 second.'],
  [1_001, 'Try again in 2 seconds.'],
])('a wait of %d ms is shown as: %s', (retryAfterMs, sentence) => {
  const { body } = failureAnswerFor(new Unavailable('payouts-not-read', 'not read yet', undefined, retryAfterMs));
  expect(body.message).toContain(sentence);
});
