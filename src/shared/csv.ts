import { plainDecimalText } from './money.ts';

/** Characters that may begin a formula in a spreadsheet, in all their Unicode variants. */
const formulaStart = '=+\\-@\u2212\u207A-\u207C\u208A-\u208C\uFB29\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20';

/**
 * A formula at the beginning of a cell in any locale. We separate cells by commas, but a German or French spreadsheet expects `;` and
 * others tabs; to those, a quote in the middle of a cell means nothing. White space, quotes and invisible characters before it count too.
 */
const formulas = new RegExp(
  `(^|[,;|\\t\\r\\n\\uFF0C\\uFF1B])([\\s"\\p{Cc}\\p{Cf}\\u201C-\\u201F\\u00AB\\u00BB]*)(?=[${formulaStart}])`,
  'gu',
);
const controlStart = /^[\t\r\n]/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;

export type CsvValue = string | number | null | undefined;

/** A leading apostrophe makes spreadsheets read text as text (OWASP, CSV injection). Negative numbers stay numbers. */
const harmless = (text: string): string => {
  if (plainNumber.test(text)) return text;
  const escaped = text.replace(formulas, "$1$2'");
  return controlStart.test(escaped) ? `'${escaped}` : escaped;
};

const cell = (value: CsvValue): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'number' ? plainDecimalText(value) : harmless(value);
  return /[",;|\t\r\n']/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180: one line without its end. Every CSV of the product is written with this. */
export const csvLine = (values: readonly CsvValue[]): string => values.map(cell).join(',');
