/** Header names as they are sent, with their values. */
export type Headers = Readonly<Record<string, string>>;

export interface InlineHashes {
  /** `'sha256-…'`, quotes included. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const closedPolicy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * Headers of every answer. The content security policy here lets a document do nothing at all, which fits JSON, CSV
 * and assets; pages have their own (`pagePolicy`).
 */
export function securityHeaders(publicUrl: string): Headers {
  const always = {
    'Content-Security-Policy': closedPolicy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  // A browser must not insist on https where this installation does not offer it.
  return publicUrl.startsWith('https:')
    ? { ...always, 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
    : always;
}

/**
 * The policy of a page: own scripts and styles, plus the inline ones that the build put into the page, by hash. Content that is filled
 * in later is never allowed. Images come only from this origin: an icon address from the chain is untrusted (rulings R3), and loading
 * it would tell a stranger's server who reads the treasury.
 */
export function pagePolicy(hashes: InlineHashes, publicUrl: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes.scripts].join(' '),
    ["style-src 'self'", ...hashes.styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    // No text becomes markup or a script (React sets text and attributes one by one), so no Trusted Types policy is needed.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
