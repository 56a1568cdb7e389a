import type { z } from 'zod';
import { callFailure } from './call-failure.ts';

/** A JSON body held against its schema. Throws Unavailable('malformed-answer'); the text itself goes nowhere. */
export function parseAnswer<T extends z.ZodType>(upstream: string, body: Buffer, schema: T): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // V8 quotes the offending text in its message, so the original error is no cause to keep.
    throw callFailure(upstream, 'malformed-answer', { cause: new Error('The body is no JSON') });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.code}`);
  throw callFailure(upstream, 'malformed-answer', { cause: new Error(where.join('; ')) });
}
