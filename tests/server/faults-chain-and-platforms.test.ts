import { testFaults } from '../support/faults/fault-suite.ts';

testFaults(['Sui', 'Telegram', 'Discord gateway']);
