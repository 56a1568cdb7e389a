import { hasStatus, malformed, type SuiCall } from './sui-call.ts';

/** SuiNS: labels of lower-case letters, digits and dashes. */
const namePattern = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,4}$/;

/**
 * The name an address shows itself by (`example.sui`), or null. An expired name comes as RESOURCE_EXHAUSTED, the code of
 * a rate limit: only the message tells them apart (a real rate limit is HTTP 429, judged before). Throws Unavailable.
 */
export async function readDefaultName(call: SuiCall, address: string, stop?: AbortSignal): Promise<string | null> {
  const name = await call(
    'ReverseLookupName',
    async (client, options) => {
      try {
        return (await client.nameService.reverseLookupName({ address }, options)).response.record?.name;
      } catch (error) {
        const isExpired = hasStatus(error, 'RESOURCE_EXHAUSTED') && /expired/i.test(error.message);
        if (isExpired || hasStatus(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    stop,
  );
  if (name === undefined || name === null || name === '') return null;
  if (!namePattern.test(name)) throw malformed('Not a name');
  return name;
}
