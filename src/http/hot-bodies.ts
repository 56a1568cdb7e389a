/**
 * A body that is served as it is, without touching the framework: public pages and the treasury answer.
 * Held in memory in each encoding, so a request costs a map look-up and a write.
 */
export interface HotBody {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Strong ETag, quotes included. */
  readonly etag: string;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
  /** Headers beyond the common security headers, e.g. `Link`. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** What its answers are counted under, where the address itself holds a secret. */
  readonly countedAs?: string;
}

/**
 * Finds the ready body of a GET path, or undefined to let the framework answer. `query` is what stands after the question mark, for the
 * few answers that depend on it.
 */
export type HotBodies = (path: string, query?: string) => HotBody | undefined;
