import { createHash } from 'node:crypto';

/** By column. */
export type Row = Readonly<Record<string, unknown>>;

const hourMs = 3_600_000;
export const ago = (hours: number): Date => new Date(Math.floor(Date.now() / hourMs - hours) * hourMs);
export const ahead = (hours: number): Date => ago(-hours);
export const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const treasuryAddress = `0x${'7'.repeat(64)}`;
export const guildId = '9000000000000000001';
export const memberId = '9000000000000000002';
export const chatId = '-1001234567890';
export const wallet = `0x${'b'.repeat(64)}`;
export const network = 'mainnet';
/** Text as people type it: quotes, line breaks, backslashes, tabs, sequences that COPY escapes, and a character outside Unicode's first plane. */
export const oddText = 'Rock "Fans"\n\\.\t\\N, Ögg & 🪨';
