import { otherKinds, testFaults } from '../support/faults/fault-suite.ts';

testFaults(['database'], otherKinds);
