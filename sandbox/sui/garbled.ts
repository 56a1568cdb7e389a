const largestU64 = 18_446_744_073_709_551_615n;

/**
 * The same message with leaves no honest node would send: a protobuf cannot carry another wire type and still be read,
 * so texts say nonsense, integers are the largest u64 and bytes are cut to one.
 */
export function garbled<T>(message: T): T {
  return garble(message) as T;
}

function garble(value: unknown): unknown {
  if (typeof value === 'string') return 'not what you asked for';
  if (typeof value === 'bigint') return largestU64;
  if (value instanceof Uint8Array) return new Uint8Array([255]);
  if (Array.isArray(value)) return value.map(garble);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'oneofKind' || isSigned(key) ? inner : garble(inner)]),
  );
}

/** Timestamps are signed 64-bit: the largest u64 could not be written. */
function isSigned(key: string): boolean {
  return key === 'timestamp' || key === 'expirationTimestamp';
}
