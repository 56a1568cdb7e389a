/** `<…>` of a canonical type, or nothing. */
export function typeArguments(canonical: string): string {
  const open = canonical.indexOf('<');
  return open === -1 ? '' : canonical.slice(open);
}
