import { commandRoutes } from './command-routes.ts';
import { guildRoutes } from './guild-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { ownRoutes } from './own-routes.ts';
import type { Route } from './route.ts';
import { interactionRoutes } from './webhook-routes.ts';

/** Literal paths must come before paths with a parameter in the same place. */
export const routes: readonly Route[] = [
  ...ownRoutes,
  ...guildRoutes,
  ...messageRoutes,
  ...commandRoutes,
  ...interactionRoutes,
];

const matchers = routes.map((route) => ({ route, parts: route.path.split('/') }));

export type Found = { route: Route; params: Record<string, string> };

/** 'no-path' becomes 404, 'no-method' 405. */
export function findRoute(method: string, path: string): Found | 'no-path' | 'no-method' {
  const given = path.split('/').map(decodePart);
  const fitting = matchers.filter(
    ({ parts }) =>
      parts.length === given.length && parts.every((part, index) => part.startsWith('{') || part === given[index]),
  );
  const found = fitting.find(({ route }) => route.method === method);
  if (!found) return fitting.length === 0 ? 'no-path' : 'no-method';
  const named = found.parts.flatMap((part, index) =>
    part.startsWith('{') ? [[part.slice(1, -1), given[index] ?? ''] as const] : [],
  );
  return { route: found.route, params: Object.fromEntries(named) };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
