import { config } from '../config.ts';
import { rocks } from '../treasury/contract.ts';
export const all = [config, rocks];
