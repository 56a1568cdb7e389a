import type { ParameterPage } from '../../http/ready/pages.ts';
import { monthName } from '../../shared/utc-month.ts';
import type { StatementSummary } from '../statements-contract.ts';
import { formatMicroUsd } from '../web/number-format.ts';
import { monthIn, statementFile, statementLink } from '../web/statements/statement-addresses.ts';

/** What stands inside `<noscript>` of /statements. Nothing in it is from outside: months, digits and numbers. */
export function statementsNoscriptHtml(statements: readonly StatementSummary[]): string {
  if (statements.length === 0) return '<p>There is no statement yet.</p>';
  return `<ul>${statements.map((statement) => `<li>${lineOf(statement)}</li>`).join('')}</ul>`;
}

const lineOf = ({ month, entries, closingMicroUsd, sha256 }: StatementSummary): string =>
  `<a class="link" href="${statementLink(month)}">${monthName(month)}</a>: ${entries} movements, ${formatMicroUsd(closingMicroUsd)} at the end, ` +
  `<a class="link" href="${statementFile(month)}">JSON</a>, SHA-256 <code class="wrap-anywhere">${sha256}</code>`;

/** /statements/2026-10; the not-found page for a month without a statement. */
export const statementPage = (
  productName: string,
  find: (month: string) => StatementSummary | null,
): ParameterPage => ({
  name: 'statement',
  find: monthIn,
  countedAs: '/statements/{month}',
  fillingOf: (month) => {
    const statement = find(month);
    if (statement === null) return null;
    const name = monthName(month);
    return {
      values: {
        statementMonth: month,
        statementTitle: `Statement of ${name} | ${productName}`,
        statementDescription:
          `The treasury in ${name}: ${statement.entries} movements, ${formatMicroUsd(statement.closingMicroUsd)} at the end. ` +
          'Every sum and its SHA-256 are calculated anew in your browser.',
      },
      blocks: { 'snapshot:statement': `<p>${lineOf(statement)}. What it adds up to needs JavaScript.</p>` },
    };
  },
});
