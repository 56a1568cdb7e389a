/** Markup that is safe to send as it is. */
export type Html = { readonly markup: string };
type Part = Html | string | number | bigint | null | false | readonly Part[];

/** Text from the world is untrusted, so everything that is not markup is escaped. */
function escapeText(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number' || typeof part === 'bigint') return String(part);
  if ('markup' in part) return part.markup;
  return part.map(render).join('');
}

/** A template whose values are escaped, unless they come from `html` themselves. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return {
    markup: texts.map((text, index) => `${text}${index < parts.length ? render(parts[index] ?? '') : ''}`).join(''),
  };
}
