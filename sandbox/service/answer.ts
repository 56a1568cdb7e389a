/** A request as the services receive it: body already read, path without the query. */
export type Ask = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
};

export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** `set-cookie` headers. */
  cookies?: string[];
  body: Uint8Array | string;
};

export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) };
}

export function textAnswer(status: number, body: string, contentType = 'text/plain; charset=utf-8'): Answer {
  return { status, headers: { 'content-type': contentType }, body };
}
