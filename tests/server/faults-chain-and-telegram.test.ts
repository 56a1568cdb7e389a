import { someKinds, testFaults } from '../support/faults/fault-suite.ts';

testFaults(['Sui', 'Telegram'], someKinds);
