import { otherKinds, testFaults } from '../support/faults/fault-suite.ts';

// In its own file: a gateway's long answer is read here too, and the second price service has no more than its own time.
testFaults(['prices'], otherKinds);
