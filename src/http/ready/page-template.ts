import { createHash } from 'node:crypto';

import { escapeHtml } from '../../shared/escape-html.ts';
import type { InlineHashes } from '../security-headers.ts';

/** What a prerendered page is filled with. */
export interface PageFilling {
  /** Replaces `@@name@@`; escaped here. */
  readonly values: Readonly<Record<string, string>>;
  /** Replaces the comment `<!--name-->`; already safe HTML, an empty text removes the comment. */
  readonly blocks: Readonly<Record<string, string>>;
}

/** A value as a JSON block for the browser. `<` is written \u003c, so that no text can end the block. */
export function jsonBlock(id: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** Fills a page in one pass, so that nothing filled in is ever read as a placeholder itself. */
export function fillPage(template: string, { values, blocks }: PageFilling): string {
  return template.replaceAll(/@@(\w+)@@|<!--([\w:-]+)-->/g, (whole, value?: string, block?: string) => {
    if (value !== undefined) return Object.hasOwn(values, value) ? escapeHtml(values[value] ?? '') : whole;
    return block !== undefined && Object.hasOwn(blocks, block) ? (blocks[block] ?? '') : whole;
  });
}

/** Hashes of what stands inline in a page (CSP level 3). JSON blocks are data and need none. */
export function inlineHashes(html: string): InlineHashes {
  const scripts: string[] = [];
  const styles: string[] = [];
  for (const [, tag, attributes = '', content = ''] of html.matchAll(/<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g)) {
    if (tag === 'style') styles.push(hashOf(content));
    else if (!/\bsrc=/.test(attributes) && !/type="application\/(?:ld\+)?json"/.test(attributes)) {
      scripts.push(hashOf(content));
    }
  }
  return { scripts, styles };
}

const hashOf = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
