import { malformed, type SuiCall } from './sui-call.ts';

/** Some 100,000 years of checkpoints: more is no count of them. */
const checkpointMax = 2n ** 53n;

/** The newest checkpoint the node has executed. */
export async function readCheckpoint(call: SuiCall, stop?: AbortSignal): Promise<bigint> {
  const { checkpointHeight } = await call(
    'GetServiceInfo',
    async (client, options) => (await client.ledgerService.getServiceInfo({}, options)).response,
    stop,
  );
  if (checkpointHeight === undefined || checkpointHeight > checkpointMax) throw malformed('No checkpoint');
  return checkpointHeight;
}
