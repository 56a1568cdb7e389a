import type { Reporter } from 'vitest/node';

/** Lists the tests that passed only on the second try, as the browser step lists flaky ones: they need attention. */
export const secondTries: Reporter = {
  onTestRunEnd: (modules) => {
    const flaky = modules
      .flatMap((module) => [...module.children.allTests('passed')])
      .filter((test) => test.diagnostic()?.flaky === true);
    if (flaky.length === 0) return;
    console.log(`\n  ${flaky.length} flaky (failed once, passed at the second try)`);
    for (const test of flaky) {
      console.log(`    ${test.module.relativeModuleId} > ${test.fullName}`);
      for (const { message } of test.result().errors ?? []) console.log(`      ${message.split('\n', 1)[0]}`);
    }
  },
};
