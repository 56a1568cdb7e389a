import { app } from '../server/app.ts';
import { floor } from '../collections/core/floor.ts';
export const both = [app, floor];
