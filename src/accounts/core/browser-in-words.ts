/** What a session's owner recognises it by: 'Firefox on Linux'. From what a browser says of itself (RFC 9110, 10.1.5), which proves nothing. */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
];

/** Android says Linux too, and an iPhone says Mac OS X. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** null: it says nothing that is known. */
export function browserInWords(userAgent: string | null): string | null {
  const named = (names: typeof browsers): string | null =>
    userAgent === null ? null : (names.find(([shape]) => shape.test(userAgent))?.[1] ?? null);
  const [browser, system] = [named(browsers), named(systems)];
  if (browser === null) return system === null ? null : `A browser on ${system}`;
  return system === null ? browser : `${browser} on ${system}`;
}
