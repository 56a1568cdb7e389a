import type { GrpcTypes } from '@mysten/sui/grpc';
import { concurrently } from '../../platform/concurrently.ts';
import { malformed, type SuiCall } from './sui-call.ts';

/** Mysten's newer servers refuse more ids without a version in one batch (sui-kv-rpc: MAX_UNVERSIONED_BATCH_REQUESTS). */
const batchSize = 50;
/** A collection of 10,000 is 200 batches: they must neither flood the node nor make others wait behind them. */
const batchesAtOnceMax = 8;
/** google.rpc.Code of a missing object inside a batch. */
const notFoundCode = 5;

/** Objects by id with the fields of the mask; those that the chain does not know are left out. Throws Unavailable. */
export async function readObjectBatches(
  call: SuiCall,
  objectIds: readonly string[],
  paths: readonly string[],
  stop?: AbortSignal,
): Promise<readonly GrpcTypes.Object[]> {
  const batches = Array.from({ length: Math.ceil(objectIds.length / batchSize) }, (_, index) =>
    objectIds.slice(index * batchSize, (index + 1) * batchSize),
  );
  const answers = await concurrently(batches, batchesAtOnceMax, (batch) => readBatch(call, batch, paths, stop));
  return answers.flat();
}

async function readBatch(
  call: SuiCall,
  objectIds: readonly string[],
  paths: readonly string[],
  stop?: AbortSignal,
): Promise<readonly GrpcTypes.Object[]> {
  const { objects } = await call(
    'BatchGetObjects',
    async (client, options) => {
      const request = { requests: objectIds.map((objectId) => ({ objectId })), readMask: { paths: [...paths] } };
      return (await client.ledgerService.batchGetObjects(request, options)).response;
    },
    stop,
  );
  if (objects.length !== objectIds.length) throw malformed('A batch with a different number of objects than requested');
  return objects.flatMap(({ result }) => {
    if (result.oneofKind === 'object') return [result.object];
    if (result.oneofKind === 'error' && result.error.code === notFoundCode) return [];
    throw malformed('An object of a batch could not be read');
  });
}
