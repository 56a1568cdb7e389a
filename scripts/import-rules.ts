import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/**
 * The direction rules of the architecture as data: each is a pattern over folders, so a new capability is guarded the
 * day its folder appears. `from` and `to` are paths from the repository's root; packages and `node:` modules come as
 * they are written.
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

/** The one list of files that are functions of their arguments: the compiler, the tests and these rules read it. */
const { include: pureFiles } = JSON.parse(readFileSync(new URL('../tsconfig.pure.json', import.meta.url), 'utf8')) as {
  readonly include: readonly string[];
};

const ground = new Set(['http', 'sources', 'process', 'bot-service', 'retention', 'db', 'jobs', 'shared', 'ui']);
const srcParts = /^src\/([^/]+)\/(.+)$/;

const folderOf = (path: string): string | undefined => srcParts.exec(path)?.[1];
const insideOf = (path: string): string => srcParts.exec(path)?.[2] ?? '';
const isCapability = (folder: string | undefined): folder is string =>
  folder !== undefined && folder !== 'app' && !ground.has(folder);
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
    name: 'a package knows nothing of the product',
    forbids: ({ from, to }) => from.startsWith('packages/') && /^(src|sandbox|tests|bench|scripts|artwork)\//.test(to),
  },
  {
    name: 'pure files know only pure files',
    // A contract says within whose transaction something is written, and can do nothing with it.
    forbids: ({ from, to, typeOnly }) =>
      isPure(from) &&
      !isTest(from) &&
      !(isPure(to) || to === 'zod' || to.startsWith('zod/') || (typeOnly && to === 'src/db/transaction.ts')),
  },
  {
    name: 'a capability reaches another only through its contract',
    forbids: ({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      if (isTest(from) || !isCapability(here) || !isCapability(there) || here === there) return false;
      // The dashboard's frame is the one place where the capabilities' tabs meet.
      if (here === 'admin' && isWeb(from) && isWeb(to)) return false;
      return !/^(?:[a-z-]+-)?contract\.ts$/.test(insideOf(to)) && !(isWeb(from) && isPure(to));
    },
  },
  {
    name: 'the market knows none of those that use it',
    forbids: ({ from, to }) => {
      const there = folderOf(to);
      return !isTest(from) && folderOf(from) === 'market' && isCapability(there) && there !== 'market';
    },
  },
  {
    name: 'what checks a payout shares nothing with what makes it',
    forbids: ({ from, to }) => {
      const isCheck = (path: string): boolean => path.startsWith('src/payouts/core/check/');
      return isCheck(from) && !isTest(from) && to.startsWith('src/payouts/') && !isCheck(to);
    },
  },
  {
    name: 'the ground knows no capability',
    forbids: ({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      return !isTest(from) && here !== undefined && ground.has(here) && isCapability(there);
    },
  },
  {
    name: 'app alone knows every page, and of a capability only what a browser may have',
    forbids: ({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      if (isTest(from) || !from.startsWith('src/')) return false;
      if (here !== 'app') return there === 'app';
      return isCapability(there) && !(isWeb(to) || isPure(to) || isContent(to));
    },
  },
  {
    name: 'main alone knows the configuration',
    forbids: ({ from, to, typeOnly }) => to === 'src/config.ts' && !typeOnly && !isTest(from) && srcParts.test(from),
  },
  {
    name: 'nobody imports main',
    forbids: ({ from, to }) => to === 'src/main.ts' && from !== 'src/start.ts' && from.startsWith('src/'),
  },
  {
    name: 'sources, db, jobs and process know no http',
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
    name: 'no barrels and no names that say nothing',
    forbids: ({ to }) => !isPackage(to) && /(^|\/)(index|utils?|helpers?|misc|common)(\/|\.tsx?$)/.test(to),
  },
];

/** Every broken rule, one line each: `rule: from -> to`. */
export const brokenRules = (edges: readonly Import[]): string[] =>
  edges.flatMap((edge) =>
    rules.filter((rule) => rule.forbids(edge)).map((rule) => `${rule.name}: ${edge.from} -> ${edge.to}`),
  );

export const ruleNames: readonly string[] = rules.map((rule) => rule.name);

/** Circles of files, type imports included, one line each: a file that is reached from itself, and by which way. */
export function circles(edges: readonly Import[]): string[] {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const before = way.indexOf(file);
    if (before >= 0) found.push(`a circle of imports: ${[...way.slice(before), file].join(' -> ')}`);
    if (before >= 0 || done.has(file)) return;
    for (const { to } of targets.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return found;
}
