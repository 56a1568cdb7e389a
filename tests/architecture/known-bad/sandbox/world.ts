import { floor } from '../src/collections/core/floor.ts';
export const world = floor;
