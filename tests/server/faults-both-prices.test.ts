import { otherKinds, testFaults } from '../support/faults/fault-suite.ts';

testFaults(['both prices'], otherKinds);
