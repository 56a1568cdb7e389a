import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;

export interface LinkTokens {
  /** 43 characters of base64url. */
  newToken(): string;
  /** What is stored of it: without SESSION_SECRET no link can be made from a row. */
  hashOf(token: string): Buffer;
  /** Given only to the one who signed: it cannot be made from the link. */
  receiptOf(token: string): string;
  isReceiptOf(token: string, receipt: string): boolean;
}

export function createLinkTokens(secret: string): LinkTokens {
  const keyed = (purpose: string, token: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, token]))
      .digest();
  const receipt = (token: string): Buffer => keyed('verification receipt', token);
  return {
    newToken: () => randomBytes(tokenBytes).toString('base64url'),
    hashOf: (token) => keyed('verification link', token),
    receiptOf: (token) => receipt(token).toString('base64url'),
    isReceiptOf: (token, text) => {
      const [given, right] = [Buffer.from(text, 'base64url'), receipt(token)];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
