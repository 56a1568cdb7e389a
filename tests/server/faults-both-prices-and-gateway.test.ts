import { someKinds, testFaults } from '../support/faults/fault-suite.ts';

testFaults(['both prices', 'Discord gateway'], someKinds);
