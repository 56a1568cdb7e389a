/** The part of a pino logger that the database needs: details first, then one sentence. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** For tools and tests without a log. */
export const silentLog: DatabaseLog = { info: () => {}, warn: () => {}, error: () => {} };
