import * as z from 'zod/mini';

import { list, number, orNull, readAnswer, text } from '../../../ui/api/answer-schema.ts';
import { ApiError } from '../../../ui/api/api-client.ts';
import { sha256Here } from '../../../ui/recalculation.tsx';
import { checkStatement, readStatement, type Statement } from '../../core/statement-check.ts';
import { statementFile } from './statement-addresses.ts';

export const statementsPath = '/api/treasury/statements';

const published = z.object({
  month: z.string().check(z.regex(/^\d{4}-\d\d$/)),
  sha256: z.string(),
  entries: number,
  closingMicroUsd: orNull(z.string().check(z.regex(/^-?\d{1,60}$/))),
  unpricedCoins: number,
});
export type PublishedStatement = z.infer<typeof published>;

/** What the pages read of GET /api/treasury/statements. null: not known. */
export const statementsPage = z.object({ statements: list(published), reason: text });

export interface Examined {
  /** null: the file is none. */
  readonly statement: Statement | null;
  /** What is published of its month; null: nothing. */
  readonly published: PublishedStatement | null;
  /** The month before, if a statement of it is published. */
  readonly monthBefore: string | null;
  /** Whether this browser calculates SHA-256: only on https and on this machine. */
  readonly canHash: boolean;
  /** One sentence for each thing that does not add up; none: it does. */
  readonly problems: readonly string[];
}

const longestFileBytes = 64 * 1024 * 1024;
const tooLong = 'This file is larger than 64 MB: no statement is that long.';

/** A file that a reader chose. */
export async function examineFile(file: File): Promise<Examined> {
  if (file.size <= longestFileBytes) return examine(await file.text());
  return { statement: null, published: null, monthBefore: null, canHash: true, problems: [tooLong] };
}

/** Holds a file against itself, against what is published of its month, and against the statement of the month before. */
export async function examine(file: string, signal?: AbortSignal): Promise<Examined> {
  const sha256 = sha256Here();
  const read = readStatement(file);
  const nothing = { statement: null, published: null, monthBefore: null, canHash: sha256 !== null };
  if ('problem' in read) return { ...nothing, problems: [read.problem] };
  const { statement } = read;
  const { statements } = await readAnswer({ path: statementsPath, ...(signal && { signal }) }, statementsPage);
  const at = statements.findIndex(({ month }) => month === statement.month);
  const found = statements[at] ?? null;
  const monthBefore = (at < 0 ? undefined : statements[at + 1])?.month ?? null;
  const before = monthBefore === null ? null : await readFile(monthBefore, signal);
  const problems = await checkStatement({ file, publishedSha256: found?.sha256 ?? null, before, sha256 });
  return { statement, published: found, monthBefore, canHash: sha256 !== null, problems };
}

/** The published bytes of a month as text. Throws ApiError where there are none. */
export async function readFile(month: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(statementFile(month), signal === undefined ? {} : { signal });
  const file = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, file);
  return file;
}
