/** SHA-256 as hexadecimal digits; null: this browser calculates none, as it does so in secure contexts alone. */
export function sha256Here(): ((text: string) => Promise<string>) | null {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  if (subtle === undefined) return null;
  return async (text) => {
    const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
}
