/**
 * Tells the questions of one collection's setup from those of another's: 8 hex digits (FNV-1a). A setup that was interrupted asks
 * again, and its first question must not call it over.
 */
export const setupKeyOf = ({ slug }: { readonly slug: string }): string => {
  let hash = 0x811c9dc5;
  for (const char of slug) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
};
