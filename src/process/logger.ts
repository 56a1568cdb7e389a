import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/** What a part needs of a logger: details first, then one sentence. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

const hidden = '[hidden]';

/** Secrets that text from elsewhere may contain: bot tokens in URLs, passwords in addresses, bearer tokens. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\bbot\d+:[\w-]+/g, `bot${hidden}`],
  [/(:\/\/[^\s:/@"\\]*):[^\s/@"\\]+@/g, `$1:${hidden}@`],
  [/\b(Bearer|Bot|Basic) [\w.~+/=-]{8,}/g, `$1 ${hidden}`],
  [/([?&](?:token|key|secret|password|apikey|api_key)=)[^\s&"\\]+/gi, `$1${hidden}`],
  [/(\/verify\/)[\w-]{8,}/g, `$1${hidden}`],
];

/** The text without anything that looks like a secret. */
export const withoutSecrets = (text: string): string =>
  secretPatterns.reduce((clean, [pattern, replacement]) => clean.replaceAll(pattern, replacement), text);

const secretFields = ['cookie', 'authorization', 'password', 'token', 'botToken', 'sessionSecret', 'secret', 'key'];
const redactedPaths = [
  ...secretFields,
  ...secretFields.map((field) => `*.${field}`),
  ...secretFields.map((field) => `*.*.${field}`),
  '*["set-cookie"]',
  '*.*["set-cookie"]',
  '*["x-api-key"]',
  '*.*["x-api-key"]',
];

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly reason?: string;
  readonly stack?: string | undefined;
  readonly cause?: LoggedError | string;
  readonly errors?: readonly (LoggedError | string)[];
}

const deepestCause = 5;
const mostErrors = 5;

/** Only an error's own words: libraries attach whole clients and requests to their errors. */
function describeError(error: unknown, depth = 0): LoggedError | string {
  if (!(error instanceof Error)) return String(error).slice(0, 500);
  const { name, message, stack, cause } = error;
  const { code, reason } = error as Error & { readonly code?: string; readonly reason?: string };
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    stack,
    ...(cause === undefined || depth >= deepestCause ? {} : { cause: describeError(cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < deepestCause
      ? { errors: error.errors.slice(0, mostErrors).map((each) => describeError(each, depth + 1)) }
      : {}),
  };
}

/** One JSON line per event on stdout, with an ISO time and no secrets. */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: hidden },
    serializers: { err: (error: unknown) => describeError(error) },
    hooks: { streamWrite: withoutSecrets },
  };
  return pino(options, destination);
}

const waitingBytesMax = 1024 * 1024;

/** While it cannot be written to (a file on a full disk), lines wait, and further ones are dropped: the product goes on. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ maxLength: waitingBytesMax });
  output.on('error', () => {
    // At the end of the process it would try again for ever (sonic-boom/index.js), and the process would never end.
    output.flushSync = () => {};
  });
  return output;
}
