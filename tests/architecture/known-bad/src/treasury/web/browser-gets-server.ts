import { app } from '../../http/app.ts';
export const page = () => import('../../process/knows-server.ts');
export const shell = app;
