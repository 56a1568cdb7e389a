import { app } from '../../http/app.ts';
export const page = () => import('../../platform/knows-server.ts');
export const shell = app;
