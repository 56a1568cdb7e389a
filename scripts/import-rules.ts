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

const ground = new Set(['http', 'sources', 'platform', 'db', 'jobs', 'shared', 'ui']);
const srcParts = /^src\/([^/]+)\/(.+)$/;

const folderOf = (path: string): string | undefined => srcParts.exec(path)?.[1];
const insideOf = (path: string): string => srcParts.exec(path)?.[2] ?? '';
const isCapability = (folder: string | undefined): folder is string =>
  folder !== undefined && folder !== 'app' && !ground.has(folder);
const isPackage = (to: string): boolean => !/^(src|sandbox|tests|bench|scripts|artwork)\//.test(to);
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const isWeb = (path: string): boolean => /^src\/(app\/|ui\/|[^/]+\/web\/)/.test(path);
const isPure = (path: string): boolean =>
  /^src\/([^/]+\/(core\/.*|([a-z]+-)*contract\.ts|([a-z]+-)*ports\.ts)|shared\/.*)$/.test(path) ||
  path.startsWith('artwork/');
const isPureTarget = (to: string): boolean => isPure(to) || to === 'zod' || to.startsWith('zod/');

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
    name: 'core, contract, ports and shared are pure',
    forbids: ({ from, to }) => isPure(from) && !isTest(from) && !isPureTarget(to),
  },
  {
    name: 'core does not know its ports, except their shapes',
    forbids: ({ from, to, typeOnly }) =>
      /\/core\//.test(from) && !isTest(from) && /\/([a-z]+-)*ports\.ts$/.test(to) && !typeOnly,
  },
  {
    name: 'a capability reaches another only through its contract',
    forbids: ({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      if (isTest(from) || !isCapability(here) || !isCapability(there) || here === there) return false;
      // The dashboard's frame is the one place where the capabilities' tabs meet.
      if (here === 'admin' && isWeb(from) && isWeb(to)) return false;
      return insideOf(to) !== 'contract.ts' && !(isWeb(from) && insideOf(to).startsWith('core/'));
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
      return isCapability(there) && !(isWeb(to) || isPure(to) || insideOf(to) === 'content.ts');
    },
  },
  {
    name: 'only adapters and main touch the sources',
    forbids: ({ from, to }) =>
      folderOf(to) === 'sources' &&
      folderOf(from) !== 'sources' &&
      from.startsWith('src/') &&
      !isTest(from) &&
      from !== 'src/main.ts' &&
      !/\/adapters\//.test(from),
  },
  {
    name: 'sources, db, jobs and platform know no http',
    forbids: ({ from, to }) => /^src\/(sources|db|jobs|platform)\//.test(from) && folderOf(to) === 'http',
  },
  {
    name: 'the browser gets no server code',
    forbids: ({ from, to, typeOnly }) =>
      isWeb(from) &&
      !isTest(from) &&
      !typeOnly &&
      (to.startsWith('node:') ||
        /^src\/(http|sources|db|jobs|platform|main|config)/.test(to) ||
        /\/adapters\//.test(to)),
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
