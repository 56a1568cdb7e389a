const largestU64 = 18_446_744_073_709_551_615n;

/**
 * The same message with values no honest node would send. A protobuf with a wrong wire type could not be read, so texts become
 * nonsense, integers the largest u64 and byte arrays one byte.
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

/** Timestamps are signed 64-bit: the largest u64 does not fit. */
function isSigned(key: string): boolean {
  return key === 'timestamp' || key === 'expirationTimestamp';
}
