import { app } from '../../server/app.ts';
export const page = () => import('../../platform/knows-server.ts');
export const shell = app;
