import { floor } from '../src/market/core/floor.ts';
export const world = floor;
