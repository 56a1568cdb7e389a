import { app } from '../../../src/http/app.ts';

export const stones = app;
