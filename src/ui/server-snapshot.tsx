/**
 * For readers without JavaScript: the server fills the comment with the last snapshot as text. React neither renders comments nor reads
 * what is inside `noscript` in the browser, hence the raw markup, which is written when the page is built and at no other time.
 */
export function ServerSnapshot({ of }: { readonly of: 'treasury' | 'collection' }) {
  const isBuilding = typeof document === 'undefined';
  return <noscript {...(isBuilding && { dangerouslySetInnerHTML: { __html: `<!--snapshot:${of}-->` } })} />;
}
