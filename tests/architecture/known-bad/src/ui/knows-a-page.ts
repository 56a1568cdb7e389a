import { pages } from '../app/pages.ts';
import { page } from '../treasury/web/browser-gets-server.ts';
export const both = [pages, page];
