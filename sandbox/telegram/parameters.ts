import type { Ask } from '../service/answer.ts';
import { badRequest } from './wire.ts';

/** Bytes that came with a multipart request. */
type Upload = { name: string; bytes: Buffer };

/** The parameters of a call, all as text however they were sent, as the real server reads them. */
export type Parameters = { values: ReadonlyMap<string, string>; uploads: ReadonlyMap<string, Upload> };

/** Reads query, JSON, form-urlencoded and multipart. Throws a Refusal if the body does not match its content type. */
export async function readParameters(ask: Ask): Promise<Parameters> {
  const values = new Map<string, string>(ask.query);
  const uploads = new Map<string, Upload>();
  const type = String(ask.headers['content-type'] ?? '').toLowerCase();
  if (ask.body.length === 0) return { values, uploads };
  if (type.startsWith('application/json')) {
    for (const [name, value] of jsonValues(ask.body)) values.set(name, value);
  } else if (type.startsWith('application/x-www-form-urlencoded')) {
    for (const [name, value] of new URLSearchParams(ask.body.toString('utf8'))) values.set(name, value);
  } else if (type.startsWith('multipart/form-data')) {
    await readMultipart(ask, values, uploads);
  }
  return { values, uploads };
}

function jsonValues(body: Buffer): [string, string][] {
  let given: unknown;
  try {
    given = JSON.parse(body.toString('utf8'));
  } catch {
    throw badRequest("can't parse JSON object");
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw badRequest('JSON object expected');
  return Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}

async function readMultipart(ask: Ask, values: Map<string, string>, uploads: Map<string, Upload>): Promise<void> {
  const headers = { 'content-type': String(ask.headers['content-type']) };
  const form = await new Response(new Uint8Array(ask.body), { headers }).formData().catch(() => null);
  if (!form) throw badRequest("can't parse multipart/form-data");
  for (const [name, value] of form) {
    if (typeof value === 'string') values.set(name, value);
    else uploads.set(name, { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) });
  }
}

export function textOf({ values }: Parameters, name: string): string {
  return values.get(name) ?? '';
}

/** A whole number; anything else counts as 0, as on the real server. */
export function integerOf({ values }: Parameters, name: string): number {
  const text = values.get(name) ?? '';
  return /^-?\d{1,16}$/.test(text) ? Number(text) : 0;
}

export function booleanOf({ values }: Parameters, name: string): boolean {
  return ['true', 'True', 'yes', 'Yes', '1'].includes(values.get(name) ?? '');
}

/** A JSON-serialised value; undefined if it was not sent. */
export function jsonOf({ values }: Parameters, name: string, failure: string): unknown {
  const text = values.get(name);
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(failure);
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
