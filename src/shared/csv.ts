import { plainDecimalText } from './money.ts';

/** What a spreadsheet may take for the beginning of a formula, in every width that it reads alike. */
const formulaStart = '=+\\-@\u2212\u207A-\u207C\u208A-\u208C\uFB29\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20';

/**
 * The beginning of a cell in any locale: ours are separated by commas, a spreadsheet set to German or French separates at `;`, others at
 * tabs, and a quote in the middle of what they take for a cell means nothing to them. White space, quotes and invisible characters there are skipped.
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

/** RFC 4180: one line without its end. Every CSV of the product is written by this. */
export const csvLine = (values: readonly CsvValue[]): string => values.map(cell).join(',');
