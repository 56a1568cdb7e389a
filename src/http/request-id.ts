import { randomUUID } from 'node:crypto';

const usable = /^[\w.:-]{1,64}$/;

/** The id a caller gave with `x-request-id`, when it is short and harmless in a log line. */
export function givenRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && usable.test(header) ? header : undefined;
}

export const requestIdFor = (header: string | string[] | undefined): string => givenRequestId(header) ?? randomUUID();
