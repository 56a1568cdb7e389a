import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;

export type LinkTokens = ReturnType<typeof createLinkTokens>;

export function createLinkTokens(secret: string) {
  const keyed = (purpose: string, token: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, token]))
      .digest();
  const receipt = (token: string): Buffer => keyed('verification receipt', token);
  return {
    /** 43 characters of base64url. */
    newToken: (): string => randomBytes(tokenBytes).toString('base64url'),
    /** What is stored of it: without SESSION_SECRET no link can be made from a row. */
    hashOf: (token: string): Buffer => keyed('verification link', token),
    /** Given only to the one who signed: it cannot be made from the link. */
    receiptOf: (token: string): string => receipt(token).toString('base64url'),
    isReceiptOf: (token: string, text: string): boolean => {
      const [given, right] = [Buffer.from(text, 'base64url'), receipt(token)];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
