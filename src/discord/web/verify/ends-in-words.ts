/** 'This link expires in 12 min.' */
export function endsInWords(expiresAt: string, nowMs: number): string {
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return 'This link has expired: use /verify in Discord to get a new one.';
  const minutes = Math.ceil(leftMs / 60_000);
  return minutes === 1 ? 'This link expires in less than a minute.' : `This link expires in ${minutes} min.`;
}
