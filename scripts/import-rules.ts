import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/**
 * The architecture's import rules as data. Each is a pattern over folders, so it covers a new capability as soon as its
 * folder exists. `from` and `to` are paths from the repository's root; packages and `node:` modules stay as written.
 */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

interface Rule {
  readonly name: string;
  readonly forbids: (edge: Import) => boolean;
}

/** The list of pure files; the compiler, the tests and these rules share it. */
const { include: pureFiles } = JSON.parse(readFileSync(new URL('../tsconfig.pure.json', import.meta.url), 'utf8')) as {
  readonly include: readonly string[];
};

const base = new Set(['http', 'sources', 'process', 'bot-service', 'retention', 'db', 'jobs', 'shared', 'ui']);
const srcParts = /^src\/([^/]+)\/(.+)$/;

const folderOf = (path: string): string | undefined => srcParts.exec(path)?.[1];
const insideOf = (path: string): string => srcParts.exec(path)?.[2] ?? '';
const isCapability = (folder: string | undefined): folder is string =>
  folder !== undefined && folder !== 'app' && !base.has(folder);
const isPackage = (to: string): boolean => !/^(src|sandbox|tests|bench|scripts|artwork)\//.test(to);
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const isWeb = (path: string): boolean => /^src\/(app\/|ui\/|[^/]+\/web\/)/.test(path);
const isPure = (path: string): boolean => pureFiles.some((glob) => matchesGlob(path, glob));
const isContent = (path: string): boolean => insideOf(path) === 'content.ts';

const rules: readonly Rule[] = [
  {
    name: 'src, sandbox and tools stay apart',
    forbids: ({ from, to }) =>
      !isTest(from) &&
      ((from.startsWith('src/') && /^(sandbox|tests|bench|scripts)\//.test(to)) ||
        (from.startsWith('sandbox/') && /^(src|tests|bench|scripts)\//.test(to))),
  },
  {
    name: 'packages do not import the product',
    forbids: ({ from, to }) => from.startsWith('packages/') && /^(src|sandbox|tests|bench|scripts|artwork)\//.test(to),
  },
  {
    name: 'pure files import only pure files',
    // Except the type of a transaction: a contract may take one as an argument.
    forbids: ({ from, to, typeOnly }) =>
      isPure(from) &&
      !isTest(from) &&
      !(isPure(to) || to === 'zod' || to.startsWith('zod/') || (typeOnly && to === 'src/db/transaction.ts')),
  },
  {
    name: 'a capability imports another only through its contract',
    forbids: ({ from, to }) => {
      const here = folderOf(from);
      const there = folderOf(to);
      if (isTest(from) || !isCapability(here) || !isCapability(there) || here === there) return false;
      // The dashboard's frame shows the capabilities' tabs.
      if (here === 'admin' && isWeb(from) && isWeb(to)) return false;
      return !/^(?:[a-z-]+-)?contract\.ts$/.test(insideOf(to)) && !(isWeb(from) && isPure(to));
    },
  },
  {
    name: 'market imports no other capability',
    forbids: ({ from, to }) => {
      const there = folderOf(to);
      return !isTest(from) && folderOf(from) === 'market' && isCapability(there) && there !== 'market';
    },
  },
  {
    name: 'the payout check imports nothing else from payouts',
    forbids: ({ from, to }) => {
      const isCheck = (path: string): boolean => path.startsWith('src/payouts/core/check/');
      return isCheck(from) && !isTest(from) && to.startsWith('src/payouts/') && !isCheck(to);
    },
  },
  {
    name: 'base folders import no capability',
    forbids: ({ from, to }) => {
      const here = folderOf(from);
      const there = folderOf(to);
      return !isTest(from) && here !== undefined && base.has(here) && isCapability(there);
    },
  },
  {
    name: 'nothing imports app, and app imports only browser code',
    forbids: ({ from, to }) => {
      const here = folderOf(from);
      const there = folderOf(to);
      if (isTest(from) || !from.startsWith('src/')) return false;
      if (here !== 'app') return there === 'app';
      return isCapability(there) && !(isWeb(to) || isPure(to) || isContent(to));
    },
  },
  {
    name: 'only main imports the configuration',
    forbids: ({ from, to, typeOnly }) => to === 'src/config.ts' && !typeOnly && !isTest(from) && srcParts.test(from),
  },
  {
    name: 'only start imports main',
    forbids: ({ from, to }) => to === 'src/main.ts' && from !== 'src/start.ts' && from.startsWith('src/'),
  },
  {
    name: 'sources, db, jobs and process do not import http',
    forbids: ({ from, to }) =>
      /^src\/(sources|db|jobs|process|bot-service|retention)\//.test(from) && folderOf(to) === 'http',
  },
  {
    name: 'the browser gets no server code',
    forbids: ({ from, to, typeOnly }) =>
      isWeb(from) &&
      !isTest(from) &&
      !typeOnly &&
      (to.startsWith('node:') || (to.startsWith('src/') && !(isWeb(to) || isPure(to) || isContent(to)))),
  },
  {
    name: 'no barrel files and no vague names',
    forbids: ({ to }) => !isPackage(to) && /(^|\/)(index|utils?|helpers?|misc|common)(\/|\.tsx?$)/.test(to),
  },
];

/** Every broken rule, one line each: `rule: from -> to`. */
export const brokenRules = (edges: readonly Import[]): string[] =>
  edges.flatMap((edge) =>
    rules.filter((rule) => rule.forbids(edge)).map((rule) => `${rule.name}: ${edge.from} -> ${edge.to}`),
  );

export const ruleNames: readonly string[] = rules.map((rule) => rule.name);

/** Import cycles, type imports included, one line each with the whole path. */
export function cycles(edges: readonly Import[]): string[] {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const before = path.indexOf(file);
    if (before >= 0) found.push(`import cycle: ${[...path.slice(before), file].join(' -> ')}`);
    if (before >= 0 || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}
