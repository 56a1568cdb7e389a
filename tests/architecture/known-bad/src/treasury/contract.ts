import type { all } from '../market/knows-its-users.ts';
import { main } from '../main.ts';
export const rocks: unknown = main as typeof all;
