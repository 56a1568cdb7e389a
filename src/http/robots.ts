import { type ReadyAnswer, makeReadyAnswer } from './ready-answer.ts';
import { escapeHtml } from '../shared/escape-html.ts';

/** What search engines may read: the public pages, not the calls nor the admin area. */
function robotsText(publicUrl: string): string {
  const closed = ['/api/', '/auth', '/admin', '/verify/'].map((path) => `Disallow: ${path}`);
  return ['User-agent: *', ...closed, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n');
}

function sitemapXml(publicUrl: string, paths: readonly string[]): string {
  const entries = paths.map((path) => `  <url><loc>${escapeHtml(new URL(path, publicUrl).href)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}

/** `/robots.txt` and `/sitemap.xml`: made here because they name the configured origin. */
export function searchEngineFiles(publicUrl: string, paths: readonly string[]): ReadonlyMap<string, ReadyAnswer> {
  const body = (content: string, contentType: string): ReadyAnswer =>
    makeReadyAnswer(content, { contentType, cacheControl: 'public, max-age=3600' });
  return new Map([
    ['/robots.txt', body(robotsText(publicUrl), 'text/plain; charset=utf-8')],
    ['/sitemap.xml', body(sitemapXml(publicUrl, paths), 'application/xml; charset=utf-8')],
  ]);
}
