import { someKinds, testFaults } from '../support/faults/fault-suite.ts';

testFaults(['prices', 'Discord gateway'], someKinds);
