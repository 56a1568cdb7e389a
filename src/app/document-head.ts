import { productName } from '../site/content.ts';
import { placeholderFor } from '../shared/site-config.ts';
import type { PageHead } from './page-heads.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

const meta = (kind: 'name' | 'property', key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escaped(content)}">`;

/** The part of a document's head that tells machines which page this is. Addresses begin with the public URL's placeholder. */
export function documentHead({ title, description, path, image, unlisted = false }: PageHead): string {
  const publicUrl = placeholderFor('publicUrl');
  const imageUrl = `${publicUrl}/og/${image}`;
  const address =
    path === null || unlisted
      ? [meta('name', 'robots', 'noindex')]
      : [`<link rel="canonical" href="${publicUrl}${path}">`, meta('property', 'og:url', `${publicUrl}${path}`)];
  return [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    ...address,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', productName),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:image', imageUrl),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', `${productName}: faceted rocks, hewn by code`),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    meta('name', 'twitter:image', imageUrl),
    ...(path === '/' ? [structuredData(publicUrl, description)] : []),
  ].join('\n    ');
}

const structuredData = (publicUrl: string, description: string): string => {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: productName,
    url: `${publicUrl}/`,
    description,
  };
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`;
};
