import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => {};
const yearNow = (): number => new Date().getFullYear();
const yearOfBuild = (): number => __BUILD_YEAR__;

/** Pages are prerendered once and read for years: the year of the build stands until the browser takes over. */
export const useCurrentYear = (): number => useSyncExternalStore(never, yearNow, yearOfBuild);
