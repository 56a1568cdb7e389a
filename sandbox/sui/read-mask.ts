import { GrpcStatusCode } from '@mysten/sui/grpc';
import type { Codec } from './codec.ts';
import { GrpcRefusal } from './grpc-web.ts';

type MaskTree = Map<string, MaskTree>;
type Fields = Codec<never>['fields'];
type Level = { typeName: string; fields: Fields };

/** A request's field paths (snake_case, dots for inner fields); `apply` reduces a message to them. */
export type ReadMask = { includes: (path: string) => boolean; apply: <T extends object>(message: T) => T };

/**
 * Parses a mask for a message type. No mask means the default paths, `*` everything.
 * A path that names no field is INVALID_ARGUMENT, as on a real node.
 */
export function readMask(type: Level, mask: { paths: string[] } | undefined, defaults: readonly string[]): ReadMask {
  const paths = mask && mask.paths.length > 0 ? mask.paths : defaults;
  if (paths.includes('*')) return { includes: () => true, apply: (message) => message };
  const tree: MaskTree = new Map();
  // A path inside another one adds nothing.
  const isWithin = (path: string): boolean => paths.some((each) => path.startsWith(`${each}.`));
  for (const path of paths) if (!isWithin(path)) grow(tree, path, type);
  return {
    includes: (path) =>
      paths.some((each) => each === path || each.startsWith(`${path}.`) || path.startsWith(`${each}.`)),
    apply: (message) => prune(message, tree),
  };
}

function grow(tree: MaskTree, path: string, type: Level): void {
  let level = tree;
  let levelType: Level | null = type;
  for (const name of path.split('.')) {
    // Any path below a google.protobuf.Value is allowed; the whole value is returned.
    if (levelType?.typeName === 'google.protobuf.Value') return;
    const field: Fields[number] | undefined = levelType?.fields.find((each) => each.name === name);
    if (field?.localName === undefined) {
      throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, `invalid read_mask path: ${path}`);
    }
    const next: MaskTree = level.get(field.localName) ?? new Map();
    level.set(field.localName, next);
    level = next;
    levelType = innerType(field);
  }
}

function innerType(field: Fields[number]): Level | null {
  return 'T' in field && typeof field.T === 'function' ? (field.T() as Level) : null;
}

function prune<T>(value: T, tree: MaskTree): T {
  if (tree.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => prune(each, tree)) as T;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const branch = tree.get(name);
    if (branch) kept[name] = prune<unknown>(inner, branch);
    else if (Array.isArray(inner)) kept[name] = [];
  }
  return kept as T;
}
