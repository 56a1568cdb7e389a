import type { Pool } from 'pg';

import { createPool } from '../../src/db/connect.ts';
import { silentLog } from '../../src/db/outage.ts';

/** One statement as PostgreSQL ran it. */
export interface RunStatement {
  readonly text: string;
  /** Pages of 8 kB that it touched, in memory or on disk, including written ones. */
  readonly pages: number;
}

/** `level`: 'log' writes to the server's log, 'notice' sends to the client. */
const settingsOf = (level: 'log' | 'notice'): Readonly<Record<string, string>> => ({
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': level,
});

/** An address with which PostgreSQL explains each statement as it ran (auto_explain; only for superusers). */
function explainingUrl(databaseUrl: string, level: 'log' | 'notice'): string {
  const url = new URL(databaseUrl);
  const options = Object.entries(settingsOf(level)).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', options.join(' '));
  return url.href;
}

interface Plan {
  readonly 'Query Text': string;
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}

/** `message`: a notice of the server; null: it is not about a statement. */
function parsePlan(message: string): RunStatement | null {
  const start = message.indexOf('plan:\n');
  if (!message.startsWith('duration:') || start === -1) return null;
  const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(start + 'plan:\n'.length)) as Plan;
  return { text: text.replaceAll(/\s+/g, ' ').trim(), pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
}

/** The product's own pool, which also records the pages that each statement reads. */
export function countingPages(databaseUrl: string): { readonly pool: Pool; readonly ran: RunStatement[] } {
  const ran: RunStatement[] = [];
  const pool = createPool(explainingUrl(databaseUrl, 'notice'), silentLog);
  pool.on('connect', (client) => {
    client.on('notice', ({ message }) => {
      const statement = parsePlan(message ?? '');
      if (statement !== null) ran.push(statement);
    });
  });
  return { pool, ran };
}
