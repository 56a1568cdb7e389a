import { monthPattern } from '../../../shared/utc-month.ts';

/** The one place that knows which addresses the statements have: the server, the router and the links read it. */

const statementPath = /^\/statements\/([^/]{7})$/;

/** The month in `/statements/2026-10`; null: it is none. */
export function monthIn(path: string): string | null {
  const month = statementPath.exec(path)?.[1] ?? '';
  return monthPattern.test(month) ? month : null;
}

export const statementLink = (month: string): string => `/statements/${month}`;
export const statementFile = (month: string): string => `/statements/${month}.json`;
