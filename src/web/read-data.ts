import { callApi } from './api-client.ts';

/** An answer without `data` is none of ours (a proxy's page): a failure, not a screen without content. */
export async function readData<Answer extends { readonly data: unknown }>(
  path: string,
  signal: AbortSignal,
): Promise<Answer['data']> {
  const answer = (await callApi({ path, signal })) as Partial<Answer> | null;
  if (answer?.data === undefined) throw new Error(`${path} answered without data`);
  return answer.data;
}
