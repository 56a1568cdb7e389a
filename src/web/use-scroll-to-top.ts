import { useEffect } from 'react';

/** Specification 2: the page scrolls to the top when it opens. */
export function useScrollToTop(): void {
  useEffect(() => {
    window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  }, []);
}
