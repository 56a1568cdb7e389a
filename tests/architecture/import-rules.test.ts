import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ruleNames } from '../../scripts/import-rules.ts';

const run = (command: string, ...args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};
const knownBad = 'tests/architecture/known-bad';

describe('Architecture: each rule is enforced by a tool that is shown to fail', () => {
  const imports = run(process.execPath, 'scripts/check-imports.ts', knownBad);

  it.each(ruleNames)('the import check finds: %s', (rule) => {
    expect(imports.output).toContain(`${rule}: `);
    expect(imports.status).toBe(1);
  });

  it('the import check finds a cycle, type imports included', () => {
    const [contract, market] = ['src/treasury/contract.ts', 'src/market/knows-its-users.ts'];
    expect(imports.output).toContain(`import cycle: ${contract} -> ${market} -> ${contract}`);
  });

  it('the import check finds an environment read outside config.ts', () => {
    expect(imports.output).toContain('only config.ts reads the environment: src/treasury/reaches-everywhere.ts');
  });

  it('the import check fails when it finds no imports', () => {
    expect(run(process.execPath, 'scripts/check-imports.ts', 'docs').status).toBe(1);
  });

  it('the compiler keeps clock, network, process and page out of the pure files', () => {
    const { status, output } = run('node_modules/.bin/tsc', '-p', `${knownBad}/pure/tsconfig.json`);
    expect(status).not.toBe(0);
    for (const name of ['fetch', 'process', 'document', 'setTimeout']) {
      expect(output).toContain(`Cannot find name '${name}'`);
    }
  });

  it('the lint finds size, complexity, names, floating promises, any, non-null and silenced types', () => {
    const args = ['-c', '.oxlintrc.json', '--type-aware', '--deny-warnings', '-f', 'unix'];
    const { status, output } = run('node_modules/.bin/oxlint', ...args, `${knownBad}/lint`);
    expect(status).toBe(1);
    const reported = [
      'max-lines)',
      'max-lines-per-function',
      'complexity',
      'filename-case',
      'no-floating-promises',
      'no-explicit-any',
      'no-non-null-assertion',
      'ban-ts-comment',
      'no-console',
    ];
    for (const rule of reported) expect(output).toContain(rule);
  });

  it('the unused-code check finds a file that nobody imports', () => {
    const { status, output } = run('node_modules/.bin/knip', '--directory', `${knownBad}/unused`);
    expect(status).toBe(1);
    expect(output).toContain('src/orphan.ts');
  });
});
