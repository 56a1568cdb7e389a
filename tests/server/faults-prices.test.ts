import { otherKinds, testFaults } from '../support/faults/fault-suite.ts';

// Alone: what a gateway says at length is read here too, and the second price service has no more than its time.
testFaults(['prices'], otherKinds);
