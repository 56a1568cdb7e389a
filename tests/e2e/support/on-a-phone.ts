import type { Page } from '@playwright/test';

/**
 * What a finger can press and is smaller than 44 px in one direction, as 'text: width x height'. A link within a sentence is as tall as
 * its line (WCAG 2.5.8 leaves it out); what lies over a target, or makes it larger than its own box, counts as a finger meets it.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const leastPx = 44;
    const isWithinSentence = (element: Element): boolean => {
      if (getComputedStyle(element).display !== 'inline') return false;
      const sentence = element.closest('p, li, dd, dt, td, th');
      return sentence !== null && (sentence.textContent?.trim() ?? '') !== (element.textContent?.trim() ?? '');
    };
    const reach = (target: Element, xPx: number, yPx: number): boolean => {
      const hit = document.elementFromPoint(xPx, yPx);
      return target.contains(hit);
    };
    /** A field is pressed in its box, a hidden radio button by its label. */
    const pressedFor = (element: Element): Element => {
      if (element.matches('.field-input')) return element.closest('.field-box:not(:has(button))') ?? element;
      return element instanceof HTMLInputElement ? (element.labels?.[0] ?? element) : element;
    };
    const small: string[] = [];
    // Under a dialog nothing can be pressed.
    const reachable = document.querySelector('[aria-modal]') ?? document;
    for (const element of reachable.querySelectorAll('a[href], button:enabled, summary, input, select, textarea')) {
      if (!element.checkVisibility({ checkVisibilityCSS: true }) || isWithinSentence(element)) continue;
      if (element.matches('.skip-link')) continue;
      const target = pressedFor(element);
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = target.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const halfPx = leastPx / 2 - 0.5;
      const isTall = height >= leastPx || (reach(target, x, y - halfPx) && reach(target, x, y + halfPx));
      const isWide = width >= leastPx || (reach(target, x - halfPx, y) && reach(target, x + halfPx, y));
      if (!isTall || !isWide)
        small.push(`${target.textContent?.trim().slice(0, 40)}: ${Math.round(width)} x ${Math.round(height)}`);
    }
    return small;
  });

/** Texts that reach over an edge of the screen, or are cut off, but in what scrolls inside itself. */
export const textsOffScreen = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const isScrolled = (from: Element): boolean => {
      for (let element: Element | null = from; element !== null; element = element.parentElement) {
        if (element !== document.documentElement && scrolls(element)) return true;
      }
      return false;
    };
    const off: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (parent === null || text === '' || !parent.checkVisibility({ checkVisibilityCSS: true })) continue;
      if (parent.closest('.sr-only, .skip-link, noscript, script, style, svg') !== null || isScrolled(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      if (width > 0 && (left < -1 || right > window.innerWidth + 1))
        off.push(`${text.slice(0, 40)}: ${Math.round(left)} to ${Math.round(right)}`);
    }
    return off;
  });
