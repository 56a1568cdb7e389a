export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface Variant {
  /** 'figures.allocation.state: removed' */
  readonly title: string;
  readonly answer: Json;
}

type Path = readonly (string | number)[];

/**
 * For every field of `full` that `bare` lacks, answers with the field removed, null, of another type, and with an unknown word. `bare` is
 * what specification 3 and 7 describe; in a list, the first entry represents all.
 */
export const variantsOf = (full: Json, bare: Json): Variant[] =>
  addedPaths(full, bare, []).flatMap((path) => [
    { title: `${path.join('.')}: removed`, answer: changed(full, path, undefined) },
    ...oddValues(valueAt(full, path)).map((odd) => ({
      title: `${path.join('.')}: ${JSON.stringify(odd)}`,
      answer: changed(full, path, odd),
    })),
  ]);

const oddValues = (value: Json | undefined): Json[] => {
  if (typeof value === 'string') return [null, 7, {}, 'unheard-of'];
  if (typeof value === 'number') return [null, 'seven', {}];
  return [null, 'unheard-of', 7, Array.isArray(value) ? {} : []];
};

const addedPaths = (full: Json, bare: Json | undefined, path: Path): Path[] => {
  const here: Path[] = bare === undefined && path.length > 0 ? [path] : [];
  if (full === null || typeof full !== 'object') return here;
  const entries: [string | number, Json][] = Array.isArray(full)
    ? full.slice(0, 1).map((entry) => [0, entry])
    : Object.entries(full);
  return [...here, ...entries.flatMap(([key, value]) => addedPaths(value, valueAt(bare, [key]), [...path, key]))];
};

const valueAt = (from: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(
    (found, key) =>
      found === null || typeof found !== 'object' ? undefined : (found as Readonly<Record<string | number, Json>>)[key],
    from,
  );

function changed(from: Json, path: Path, to: Json | undefined): Json {
  const copy = structuredClone(from);
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string | number, Json>;
  const key = path.at(-1) ?? '';
  if (to === undefined) delete parent[key];
  else parent[key] = to;
  return copy;
}
