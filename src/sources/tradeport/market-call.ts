import { z } from 'zod';
import { Unavailable } from '../../shared/failure.ts';
import { fetchJson, callFailure } from '../bounded-fetch.ts';
import { type CallPolicyOptions, createCallPolicy } from '../call-policy.ts';

export interface MarketplaceOptions extends Pick<CallPolicyOptions, 'limits' | 'onAttempt'> {
  /** The GraphQL endpoint of the indexer. */
  readonly url: string;
  /** null: not configured; every read is then Unavailable('marketplace-key-missing') without a call. */
  readonly user: string | null;
  readonly key: string | null;
}

export const marketUpstream = 'The marketplace';
const maxAnswerBytes = 4 * 1024 * 1024;

interface MarketQuery<T extends z.ZodType> {
  /** For metrics. */
  readonly operation: string;
  /** Simple on purpose: the indexer refuses introspection and unusual shapes, always with the same message. */
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The schema of `data.sui`. */
  readonly schema: T;
}

export type MarketCall = <T extends z.ZodType>(query: MarketQuery<T>, stop?: AbortSignal) => Promise<z.infer<T>>;

/** Runs one query under the policy. Throws Unavailable only. */
export function createMarketCall(options: MarketplaceOptions): MarketCall {
  const { url, user, key, ...policyOptions } = options;
  const policy = createCallPolicy({ upstream: marketUpstream, ...policyOptions });
  return async ({ operation, query, variables, schema }, stop) => {
    if (user === null || key === null) {
      throw failure('marketplace-key-missing', 'needs MARKET_API_USER and MARKET_API_KEY');
    }
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-user': user, 'x-api-key': key },
      body: JSON.stringify({ query, variables }),
    };
    return policy(
      operation,
      async (signal) => {
        const request = { upstream: marketUpstream, maxAnswerBytes, signal, failureOf };
        return readData(await fetchJson(url, init, request, envelope), schema);
      },
      stop,
    );
  };
}

function failureOf(status: number): Unavailable | null {
  if (status !== 401 && status !== 403) return null;
  const cause = new Error(`HTTP status ${status}`);
  return failure('marketplace-key-refused', 'refused MARKET_API_USER and MARKET_API_KEY', cause);
}

const failure = (reason: string, what: string, cause?: Error): Unavailable =>
  new Unavailable(reason, `${marketUpstream} ${what}`, cause, null, marketUpstream);

/** Errors come with HTTP status 200, and then `data` may be missing or partial: neither is an answer. */
const envelope = z.object({
  errors: z.array(z.object({ message: z.string().optional() })).nullish(),
  data: z.object({ sui: z.unknown() }).nullish(),
});

function readData<T extends z.ZodType>({ errors, data }: z.infer<typeof envelope>, schema: T): z.infer<T> {
  if (errors && errors.length > 0) {
    const cause = new Error(String(errors[0]?.message).slice(0, 200));
    throw failure('marketplace-query-refused', 'refused the query', cause);
  }
  const parsed = schema.safeParse(data?.sui);
  if (parsed.success) return parsed.data;
  throw callFailure(marketUpstream, 'malformed-answer', { cause: new Error(parsed.error.issues[0]?.path.join('.')) });
}
