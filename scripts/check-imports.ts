import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { brokenRules, cycles, type Import } from './import-rules.ts';

/**
 * `node scripts/check-imports.ts [root]`: checks every module's imports, type imports too, against import-rules.ts.
 * Fails when it finds no imports, so it cannot pass on a wrong folder.
 */
const root = resolve(process.argv[2] ?? '.');
const patterns = ['src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts', 'sandbox/**/*.ts', 'artwork/**/*.ts'];
const files = globSync(patterns, { cwd: root }).map((file) => file.replaceAll('\\', '/'));

const resolveImport = (from: string, specifier: string): string =>
  specifier.startsWith('.')
    ? relative(root, join(root, dirname(from), specifier)).replaceAll('\\', '/')
    : normalize(specifier).replaceAll('\\', '/');

const importsOf = (from: string): Import[] => {
  const source = readFileSync(join(root, from), 'utf8');
  const { module } = parseSync(from, source);
  const fixed = module.staticImports.map((statement) => ({
    from,
    to: resolveImport(from, statement.moduleRequest.value),
    typeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }));
  const reExported = module.staticExports.flatMap((statement) =>
    statement.entries.flatMap((entry) =>
      entry.moduleRequest === null
        ? []
        : [{ from, to: resolveImport(from, entry.moduleRequest.value), typeOnly: entry.isType }],
    ),
  );
  const lazy = module.dynamicImports.flatMap((call) => {
    const literal = /^['"](.+)['"]$/.exec(source.slice(call.moduleRequest.start, call.moduleRequest.end))?.[1];
    return literal === undefined ? [] : [{ from, to: resolveImport(from, literal), typeOnly: false }];
  });
  return [...fixed, ...reExported, ...lazy];
};

const readsEnvironment = files.filter(
  (file) =>
    file.startsWith('src/') &&
    file !== 'src/config.ts' &&
    file !== 'src/main.ts' &&
    /\bprocess\.env\b/.test(readFileSync(join(root, file), 'utf8')),
);
const edges = files.flatMap(importsOf);
const broken = [
  ...brokenRules(edges),
  ...cycles(edges.filter(({ from }) => from.startsWith('src/'))),
  ...readsEnvironment.map((file) => `only config.ts reads the environment: ${file}`),
];

if (edges.length === 0) broken.push('no imports found: wrong folder?');
for (const line of broken) console.error(line);
console.log(`${files.length} files, ${edges.length} imports, ${broken.length} broken rules`);
process.exitCode = broken.length === 0 ? 0 : 1;
