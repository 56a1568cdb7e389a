import type * as z from 'zod/mini';
import { callApi } from './api-client.ts';

/** `data` of an answer, as `schema` reads it. An answer without it (a proxy's page) is a failure, not a screen without content. */
export async function readAnswer<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const answer = (await callApi({ path, signal })) as { readonly data?: unknown } | null;
  const read = schema.safeParse(answer?.data);
  if (!read.success) throw new Error(`${path} did not answer with what was asked for`, { cause: read.error });
  return read.data;
}

/** The same of an answer that was already had: a change's. undefined: it tells nothing (specification 7 shows no such body). */
export function dataIn<Schema extends z.ZodMiniType>(answer: unknown, schema: Schema): z.output<Schema> | undefined {
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : undefined;
  const read = schema.safeParse(data);
  return read.success ? read.data : undefined;
}
