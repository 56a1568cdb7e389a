import type { Page } from '@playwright/test';

/**
 * Controls smaller than 44 px in one direction, as 'text: width x height'. Links within a sentence are left out, as in WCAG 2.5.8.
 * What counts is where a touch really hits: a control may be covered, or its target may be larger than its box.
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const leastPx = 44;
    const isWithinSentence = (element: Element): boolean => {
      if (getComputedStyle(element).display !== 'inline') return false;
      const sentence = element.closest('p, li, dd, dt, td, th');
      return sentence !== null && (sentence.textContent?.trim() ?? '') !== (element.textContent?.trim() ?? '');
    };
    const isHitAt = (target: Element, xPx: number, yPx: number): boolean => {
      const hit = document.elementFromPoint(xPx, yPx);
      return target.contains(hit);
    };
    /** A field is pressed in its box, a hidden radio button by its label. */
    const pressedFor = (element: Element): Element => {
      if (element.matches('.field-input')) return element.closest('.field-box:not(:has(button))') ?? element;
      return element instanceof HTMLInputElement ? (element.labels?.[0] ?? element) : element;
    };
    const small: string[] = [];
    // Nothing under a dialog can be pressed.
    const reachable = document.querySelector('[aria-modal]') ?? document;
    for (const element of reachable.querySelectorAll('a[href], button:enabled, summary, input, select, textarea')) {
      if (!element.checkVisibility({ checkVisibilityCSS: true }) || isWithinSentence(element)) continue;
      if (element.matches('.skip-link')) continue;
      const target = pressedFor(element);
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = target.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const halfPx = leastPx / 2 - 0.5;
      const isTall = height >= leastPx || (isHitAt(target, x, y - halfPx) && isHitAt(target, x, y + halfPx));
      const isWide = width >= leastPx || (isHitAt(target, x - halfPx, y) && isHitAt(target, x + halfPx, y));
      if (!isTall || !isWide)
        small.push(`${target.textContent?.trim().slice(0, 40)}: ${Math.round(width)} x ${Math.round(height)}`);
    }
    return small;
  });

/** Texts that reach beyond an edge of the screen, except inside elements that scroll. */
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
