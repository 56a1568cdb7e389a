import { monthPattern } from '../../../shared/utc-month.ts';

/** The addresses of statements, in one place for the server, the router and the links. */

const statementPath = /^\/statements\/([^/]{7})$/;

/** The month in `/statements/2026-10`; null: not the address of a statement. */
export function monthIn(path: string): string | null {
  const month = statementPath.exec(path)?.[1] ?? '';
  return monthPattern.test(month) ? month : null;
}

export const statementLink = (month: string): string => `/statements/${month}`;
export const statementFile = (month: string): string => `/statements/${month}.json`;
