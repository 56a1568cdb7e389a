/**
 * For readers without JavaScript: the server fills the comment with the last snapshot as text. React neither renders
 * comments nor reads what is inside `noscript` in the browser, hence the raw markup.
 */
export function ServerSnapshot({ of }: { readonly of: 'treasury' | 'collection' }) {
  return <noscript dangerouslySetInnerHTML={{ __html: `<!--snapshot:${of}-->` }} />;
}
