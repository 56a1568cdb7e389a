import { expect, it } from 'vitest';
import { z } from 'zod';

import { validatorCompiler } from './failure-answer.ts';

const query = z.object({
  days: z.coerce.number().int().min(1).max(90).default(30),
  order: z.enum(['up', 'down']).default('up'),
  search: z.string().min(2).max(5).default('rock'),
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
])('%j is refused in the words of the product', (given, sentence) => {
  expect(complaintOf(given)).toContain(sentence);
});
