import type { GrpcTypes } from '@mysten/sui/grpc';
import type { JsonValue } from '../world/state.ts';

type Value = NonNullable<GrpcTypes.Object['json']>;

/** Plain JSON as a google.protobuf.Value. */
export function valueOf(json: JsonValue): Value {
  if (json === null) return { kind: { oneofKind: 'nullValue', nullValue: 0 } };
  if (typeof json === 'string') return { kind: { oneofKind: 'stringValue', stringValue: json } };
  if (typeof json === 'number') return { kind: { oneofKind: 'numberValue', numberValue: json } };
  if (typeof json === 'boolean') return { kind: { oneofKind: 'boolValue', boolValue: json } };
  if (Array.isArray(json)) return { kind: { oneofKind: 'listValue', listValue: { values: json.map(valueOf) } } };
  const fields = Object.entries(json).map(([key, inner]) => [key, valueOf(inner)] as const);
  return { kind: { oneofKind: 'structValue', structValue: { fields: Object.fromEntries(fields) } } };
}
