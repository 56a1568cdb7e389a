import { makePlan } from '../make-plan.ts';

export const planned = makePlan;
