import { malformed, type SuiCall } from './sui-call.ts';

/** The newest checkpoint the node has executed. */
export async function readCheckpoint(call: SuiCall, stop?: AbortSignal): Promise<bigint> {
  const { checkpointHeight } = await call(
    'GetServiceInfo',
    async (client, options) => (await client.ledgerService.getServiceInfo({}, options)).response,
    stop,
  );
  if (checkpointHeight === undefined) throw malformed('GetServiceInfo without a checkpoint');
  return checkpointHeight;
}
