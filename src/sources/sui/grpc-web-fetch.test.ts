import type { ServerResponse } from 'node:http';

import { GrpcTypes } from '@mysten/sui/grpc';
import { describe, expect, test } from 'vitest';

import { serveOnLoopback } from '../../../tests/support/serve-on-loopback.ts';
import { suiCoinType } from '../../shared/sui-address.ts';
import { createSuiClient, type SuiClient } from './sui-client.ts';

/** A full node that gives the same answer to every call. */
async function nodeThat(answer: (response: ServerResponse) => void): Promise<SuiClient> {
  const baseUrl = await serveOnLoopback((_request, response) => answer(response));
  return createSuiClient({ network: 'mainnet', baseUrl, limits: { retries: 0 } });
}

const frame = (flag: number, payload: Uint8Array | string): Buffer => {
  const header = Buffer.alloc(5);
  const body = Buffer.from(payload);
  header.writeUInt8(flag);
  header.writeUInt32BE(body.length, 1);
  return Buffer.concat([header, body]);
};
const info = frame(0, GrpcTypes.GetServiceInfoResponse.toBinary({ checkpointHeight: 42n }));
const okTrailer = frame(0x80, 'grpc-status:0\r\n');
const statusTrailer = (status: number): Buffer => frame(0x80, `grpc-status: ${status}\r\ngrpc-message: no\r\n`);

const body =
  (bytes: Buffer | string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/grpc-web+proto', ...headers });
    response.end(bytes);
  };
const whole = Buffer.concat([info, okTrailer]);
const asText = { 'content-type': 'application/grpc-web-text+proto' };

describe('an answer over gRPC-web', () => {
  test('is read', async () => {
    const sui = await nodeThat(body(whole));
    expect(await sui.readKeptCheckpoints()).toMatchObject({ newest: 42n });
  });

  test.each([
    ['without its trailer', body(info)],
    ['cut off inside a frame, but ended cleanly', body(info.subarray(0, info.length - 1))],
    ['with a frame longer than the answer', body(frame(0, 'x').fill(255, 1, 5))],
    ['in another protocol', body('<html>Maintenance</html>', { 'content-type': 'text/html' })],
    ['in the text form, which was not asked for', body(whole.toString('base64'), asText)],
    ['with an unreadable message', body(Buffer.concat([frame(0, new Uint8Array([255, 255, 255])), okTrailer]))],
    ['without a message', body(okTrailer)],
  ])('%s is malformed', async (_name, answer) => {
    const sui = await nodeThat(answer);
    await expect(sui.readKeptCheckpoints()).rejects.toMatchObject({ reason: 'malformed-answer' });
  });

  test.each([
    [8, 'rate-limited'],
    [4, 'timeout'],
    [13, 'upstream-error'],
    [14, 'upstream-error'],
    [3, 'refused-by-upstream'],
    [12, 'refused-by-upstream'],
    [16, 'refused-by-upstream'],
  ])('with gRPC status %i is %s', async (status, reason) => {
    const inTrailer = await nodeThat(body(statusTrailer(status)));
    await expect(inTrailer.readKeptCheckpoints()).rejects.toMatchObject({ reason });
    const inHeader = await nodeThat(body('', { 'grpc-status': String(status) }));
    await expect(inHeader.readKeptCheckpoints()).rejects.toMatchObject({ reason });
  });

  test.each([401, 403, 404])('with HTTP status %i is refused, never "not found"', async (status) => {
    const sui = await nodeThat((response) => response.writeHead(status).end('no such page'));
    await expect(sui.readCoinInfo(suiCoinType)).rejects.toMatchObject({ reason: 'refused-by-upstream' });
  });
});
