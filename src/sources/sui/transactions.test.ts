import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { GrpcTypes } from '@mysten/sui/grpc';
import { expect, test } from 'vitest';

import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import { createSuiClient } from './sui-client.ts';

const headerBytes = 5;

function frame(flag: number, payload: Uint8Array | string): Buffer {
  const header = Buffer.alloc(headerBytes);
  const body = Buffer.from(payload);
  header.writeUInt8(flag);
  header.writeUInt32BE(body.length, 1);
  return Buffer.concat([header, body]);
}

async function limitAsked(request: IncomingMessage): Promise<number> {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  await once(request, 'end');
  const message = Buffer.concat(parts).subarray(headerBytes);
  return GrpcTypes.ListTransactionsRequest.fromBinary(message).options?.limit ?? 0;
}

test('a page of transactions that takes too long is asked for again with half as many', async () => {
  const asked: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const limit = await limitAsked(request);
    asked.push(limit);
    if (limit > 25) return;
    const end = { reason: GrpcTypes.QueryEndReason.LEDGER_TIP };
    const page = { watermark: { cursor: new Uint8Array([1]), checkpoint: 7n }, end };
    response.writeHead(200, { 'content-type': 'application/grpc-web+proto' });
    response.write(
      frame(0, GrpcTypes.ListTransactionsResponse.toBinary(GrpcTypes.ListTransactionsResponse.create(page))),
    );
    response.end(frame(0x80, 'grpc-status:0\r\n'));
  };
  const baseUrl = await serveOnLoopback((request, response) => void answer(request, response));
  const sui = createSuiClient({ network: 'mainnet', baseUrl, limits: { retries: 0, attemptTimeoutMs: 500 } });
  const page = await sui.listTransactions({ addresses: ['0x1'], objectIds: [], fromCheckpoint: 0n });
  expect(page).toMatchObject({ transactions: [], coveredCheckpoint: 7n, isAtTip: true });
  expect(asked).toEqual([100, 50, 25]);
});
