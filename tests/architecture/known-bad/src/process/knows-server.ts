import { app } from '../http/app.ts';
import { floor } from '../market/core/floor.ts';
export const both = [app, floor];
