import { randomBytes } from 'node:crypto';

/** Letters and digits that nobody takes for another (Crockford's base 32): five bits each. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const group = 4;
const groups = 4;
const codeCount = 10;

/** The first group finds a code among the ten, the other three (60 bits) prove it. */
export interface RecoveryCode {
  readonly handle: string;
  readonly secret: string;
}

/** Ten codes, no two with the same handle. */
export function newRecoveryCodes(): readonly RecoveryCode[] {
  const codes = new Map<string, RecoveryCode>();
  while (codes.size < codeCount) {
    const letters = Array.from(randomBytes(group * groups), (byte) => alphabet[byte % alphabet.length]).join('');
    const handle = letters.slice(0, group);
    codes.set(handle, { handle, secret: letters.slice(group) });
  }
  return [...codes.values()];
}

/** As its owner keeps it: `k7f2-9xqm-0abc-d3ef`. */
export const shownCode = ({ handle, secret }: RecoveryCode): string =>
  [handle, ...(secret.match(new RegExp(`.{${group}}`, 'g')) ?? [])].join('-');

/** As somebody types it; null: it is none. */
export function readRecoveryCode(typed: string): RecoveryCode | null {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const isOne = letters.length === group * groups && Array.from(letters).every((letter) => alphabet.includes(letter));
  return isOne ? { handle: letters.slice(0, group), secret: letters.slice(group) } : null;
}
