import { readFileSync } from 'node:fs';
import { market } from '../ports.ts';
export const rocks = [readFileSync, market];
