import { GrpcStatusCode } from '@mysten/sui/grpc';
import type { Answer, Ask } from '../service/answer.ts';
import type { Codec } from './codec.ts';

/** A call refused with a gRPC status. */
export class GrpcRefusal extends Error {
  override name = 'GrpcRefusal';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const dataFrame = 0x00;
const trailerFrame = 0x80;
const frameHeaderBytes = 5;

function frame(flag: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt8(flag, 0);
  header.writeUInt32BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

function isText(ask: Ask): boolean {
  return String(ask.headers['content-type'] ?? '').startsWith('application/grpc-web-text');
}

/** The one message of a unary or server-streaming request; grpc-web-text is base64 around the binary form. */
export function decodeRequest<T>(ask: Ask, type: Codec<T>): T {
  const bytes = isText(ask) ? Buffer.from(ask.body.toString('latin1'), 'base64') : ask.body;
  if (bytes.length < frameHeaderBytes)
    throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, 'missing request message');
  const length = bytes.readUInt32BE(1);
  const payload = bytes.subarray(frameHeaderBytes, frameHeaderBytes + length);
  if (payload.length !== length) throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, 'request message is cut');
  return type.fromBinary(payload);
}

/** Messages, then the trailer with status 0. */
export function encodeReply<T>(ask: Ask, type: Codec<T>, messages: readonly T[]): Answer {
  const frames = messages.map((message) => frame(dataFrame, type.toBinary(message)));
  return grpcAnswer(ask, Buffer.concat([...frames, trailer(GrpcStatusCode.OK, '')]));
}

/** A refusal: only the trailer. The message is percent-encoded, as gRPC asks. */
export function encodeRefusal(ask: Ask, refusal: GrpcRefusal): Answer {
  return grpcAnswer(ask, trailer(refusal.code, refusal.message));
}

function trailer(code: number, message: string): Buffer {
  return frame(trailerFrame, Buffer.from(`grpc-status: ${code}\r\ngrpc-message: ${encodeURIComponent(message)}\r\n`));
}

function grpcAnswer(ask: Ask, binary: Buffer): Answer {
  return isText(ask)
    ? {
        status: 200,
        headers: { 'content-type': 'application/grpc-web-text+proto' },
        body: binary.toString('base64'),
      }
    : { status: 200, headers: { 'content-type': 'application/grpc-web+proto' }, body: new Uint8Array(binary) };
}

/** The messages of an encoded reply, so that a fault can alter them. */
export function decodeReply<T>(answer: Answer, type: Codec<T>): T[] {
  const isBase64 = answer.headers['content-type']?.startsWith('application/grpc-web-text') ?? false;
  const bytes = isBase64 ? Buffer.from(String(answer.body), 'base64') : Buffer.from(answer.body);
  const messages: T[] = [];
  for (let at = 0; at + frameHeaderBytes <= bytes.length;) {
    const length = bytes.readUInt32BE(at + 1);
    const payload = bytes.subarray(at + frameHeaderBytes, at + frameHeaderBytes + length);
    if (bytes.readUInt8(at) === dataFrame) messages.push(type.fromBinary(payload));
    at += frameHeaderBytes + length;
  }
  return messages;
}
