import type { Page } from '@playwright/test';

/** What Chrome's translation does to a page, now and whenever it changes: each text ends up inside two `font` elements of its own. */
export const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const isLeft = 'script, style, noscript, font, textarea, svg, [translate=no]';
    const wrapTexts = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (text.data.trim() === '' || text.parentElement?.closest(isLeft) !== null) continue;
        const [outer, inner] = [document.createElement('font'), document.createElement('font')];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    wrapTexts(document.body);
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node instanceof Element && node.localName !== 'font') wrapTexts(node);
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
