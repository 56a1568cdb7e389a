import type { Route } from './route.ts';

const operationPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** Finds the methods that are offered at a path, for `Allow`. */
export function createMethodLookup(routes: readonly Route[]): (path: string) => readonly string[] {
  const patterns = new Map<string, { readonly matches: RegExp; readonly methods: string[] }>();
  for (const { path, method } of routes) {
    const known = patterns.get(path) ?? { matches: patternOf(path), methods: [] };
    known.methods.push(method);
    patterns.set(path, known);
  }
  return (path) => {
    if (operationPaths.has(path)) return ['GET'];
    return [...patterns.values()].find(({ matches }) => matches.test(path))?.methods ?? [];
  };
}

/** As the address is written: a fixed word with an encoded letter (`/%61pi/audit`) is another word. */
export function patternOf(path: string): RegExp {
  const literals = path.split(/\{\w+\}/).map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('[^/]+')}$`);
}
