import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { GrpcTypes } from '@mysten/sui/grpc';
import { expect, test } from 'vitest';

import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import { createSuiClient } from './sui-client.ts';
import { parseChangedObject } from './transactions.ts';

const headerBytes = 5;

function frame(flag: number, payload: Uint8Array | string): Buffer {
  const header = Buffer.alloc(headerBytes);
  const body = Buffer.from(payload);
  header.writeUInt8(flag);
  header.writeUInt32BE(body.length, 1);
  return Buffer.concat([header, body]);
}

async function requestOf(request: IncomingMessage): Promise<GrpcTypes.ListTransactionsRequest> {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  await once(request, 'end');
  return GrpcTypes.ListTransactionsRequest.fromBinary(Buffer.concat(parts).subarray(headerBytes));
}

type Part = Parameters<typeof GrpcTypes.ListTransactionsResponse.create>[0];

function answerWith(response: ServerResponse, parts: readonly Part[]): void {
  response.writeHead(200, { 'content-type': 'application/grpc-web+proto' });
  for (const part of parts) {
    response.write(
      frame(0, GrpcTypes.ListTransactionsResponse.toBinary(GrpcTypes.ListTransactionsResponse.create(part))),
    );
  }
  response.end(frame(0x80, 'grpc-status:0\r\n'));
}

const { ITEM_LIMIT, LEDGER_TIP } = GrpcTypes.QueryEndReason;

const at = (checkpoint: bigint, transactionIndex: bigint): Part => ({
  transaction: {
    digest: `${checkpoint}-${transactionIndex}`,
    transaction: { sender: '0x1' },
    effects: { gasUsed: {} },
    timestamp: { seconds: 1n, nanos: 0 },
    checkpoint,
    transactionIndex,
  },
});
const end = (cursor: number, checkpoint: bigint | undefined, reason: GrpcTypes.QueryEndReason): Part => ({
  watermark: { cursor: new Uint8Array([cursor]), ...(checkpoint !== undefined && { checkpoint }) },
  end: { reason },
});

test('a page of transactions that takes too long is requested again with half as many', async () => {
  const asked: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const limit = (await requestOf(request)).options?.limit ?? 0;
    asked.push(limit);
    if (limit > 25) return;
    answerWith(response, [{ watermark: { cursor: new Uint8Array([1]), checkpoint: 7n }, end: { reason: LEDGER_TIP } }]);
  };
  const baseUrl = await serveOnLoopback((request, response) => void answer(request, response));
  const sui = createSuiClient({ network: 'mainnet', baseUrl, limits: { retries: 0, attemptTimeoutMs: 500 } });
  const page = await sui.listTransactions({ addresses: ['0x1'], objectIds: [], fromCheckpoint: 0n });
  expect(page).toMatchObject({ transactions: [], coveredCheckpoint: 7n, isAtTip: true });
  expect(asked).toEqual([100, 50, 25]);
});

test('several lists merge into one page: in chain order, each transaction once, up to the checkpoint that all lists cover', async () => {
  const lists = [
    [at(5n, 1n), at(6n, 2n), at(9n, 0n), end(1, 9n, LEDGER_TIP)],
    // This page ends within its first checkpoint, so the list is read on from its cursor.
    [at(5n, 0n), end(2, 4n, ITEM_LIMIT)],
    [at(5n, 1n), at(6n, 1n), at(8n, 0n), end(3, 7n, ITEM_LIMIT)],
  ];
  const asked: { literals: number | undefined; after: number | undefined }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { filter, options } = await requestOf(request);
    asked.push({ literals: filter?.terms.length, after: options?.after?.[0] });
    answerWith(response, lists[asked.length - 1] ?? []);
  };
  const baseUrl = await serveOnLoopback((request, response) => void answer(request, response));
  const sui = createSuiClient({ network: 'mainnet', baseUrl, limits: { retries: 0 } });
  const objectIds = Array.from({ length: 12 }, (_, kiosk) => `0x${kiosk + 2}`);
  const page = await sui.listTransactions({ addresses: ['0x1'], objectIds, fromCheckpoint: 5n });
  expect(page.transactions.map(({ digest }) => digest)).toEqual(['5-0', '5-1', '6-1', '6-2']);
  expect(page).toMatchObject({ coveredCheckpoint: 7n, isAtTip: false });
  expect(asked).toEqual([
    { literals: 10, after: undefined },
    { literals: 3, after: undefined },
    { literals: 3, after: 2 },
  ]);
});

test.each<[string, string, readonly Part[]]>([
  ['without an end', 'malformed-answer', [at(6n, 0n)]],
  ['with an unknown end reason', 'malformed-answer', [at(6n, 0n), end(1, 6n, GrpcTypes.QueryEndReason.UNKNOWN)]],
  [
    'without a cursor',
    'malformed-answer',
    [at(6n, 0n), { watermark: { checkpoint: 6n }, end: { reason: ITEM_LIMIT } }],
  ],
  ['with an older transaction', 'malformed-answer', [at(4n, 0n), end(1, 6n, ITEM_LIMIT)]],
  ['with the cursor of its own request', 'repeated-cursor', [at(5n, 0n), end(9, undefined, ITEM_LIMIT)]],
])('a page %s fails: %s', async (_what, reason, parts) => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await requestOf(request);
    answerWith(response, parts);
  };
  const baseUrl = await serveOnLoopback((request, response) => void answer(request, response));
  const sui = createSuiClient({ network: 'mainnet', baseUrl, limits: { retries: 0 } });
  const query = { addresses: ['0x1'], objectIds: [], fromCheckpoint: 5n, after: new Uint8Array([9]) };
  await expect(sui.listTransactions(query)).rejects.toMatchObject({ reason });
});

const objectState = GrpcTypes.ChangedObject_OutputObjectState;
const { CREATED, DELETED, NONE } = GrpcTypes.ChangedObject_IdOperation;
const kind = GrpcTypes.Owner_OwnerKind;

test.each<[string, Partial<GrpcTypes.ChangedObject>]>([
  ['created and wrapped at once', { idOperation: CREATED }],
  ['unwrapped and deleted', { idOperation: DELETED }],
  ['a package', { idOperation: CREATED, outputState: objectState.PACKAGE_WRITE, objectType: 'package' }],
  ['a package of an older node', { idOperation: NONE, outputState: objectState.PACKAGE_WRITE }],
  ['an address balance', { idOperation: NONE, outputState: objectState.ACCUMULATOR_WRITE }],
  ['an unknown output state', { idOperation: NONE, outputState: objectState.UNKNOWN }],
])('a change without an owner before and after is left out: %s', (_what, changed) => {
  expect(parseChangedObject(GrpcTypes.ChangedObject.create({ objectId: '0x5', ...changed }))).toEqual([]);
});

test.each<[string, GrpcTypes.Owner, unknown]>([
  ['a wallet', { kind: kind.ADDRESS, address: '0xa' }, { kind: 'wallet' }],
  ['a wallet, by consensus', { kind: kind.CONSENSUS_ADDRESS, address: '0xa' }, { kind: 'wallet' }],
  ['another object', { kind: kind.OBJECT, address: '0xa' }, { kind: 'object' }],
  ['nobody if shared', { kind: kind.SHARED }, { kind: 'none' }],
  ['nobody if the kind of owner is new', { kind: 99 as number }, { kind: 'none' }],
  ['nobody if the node does not know the kind of owner', { kind: kind.OWNER_KIND_UNKNOWN }, { kind: 'none' }],
])('a changed object belongs to %s', (_whom, outputOwner, after) => {
  const changed = GrpcTypes.ChangedObject.create({ objectId: '0x5', objectType: '0x2::a::B', outputOwner });
  expect(parseChangedObject(changed)).toMatchObject([{ before: null, after }]);
});

test('a changed object with an owner but no type is malformed: no move is ever left out', () => {
  const outputOwner = { kind: kind.ADDRESS, address: '0xa' };
  const changed = GrpcTypes.ChangedObject.create({ objectId: '0x5', outputOwner });
  expect(() => parseChangedObject(changed)).toThrow('cannot be read');
});
