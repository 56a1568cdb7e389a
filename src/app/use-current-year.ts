import { useSyncExternalStore } from 'react';
import { useSiteConfig } from '../ui/site-config-context.tsx';

const never = (): (() => void) => () => {};
const yearNow = (): string => String(new Date().getFullYear());

/** The year that the server wrote into the page, until the browser takes over with its own. */
export function useCurrentYear(): string {
  const { currentYear } = useSiteConfig();
  return useSyncExternalStore(never, yearNow, () => currentYear);
}
