import { otherKinds, testFaults } from '../support/faults/fault-suite.ts';

testFaults(['marketplace', 'Discord REST'], otherKinds);
