import { floor } from '../market/core/floor.ts';
import { client } from '../sources/client.ts';
import { world } from '../../sandbox/world.ts';
import { money } from './utils.ts';
export const host = process.env.HOST;
export const all = [floor, client, world, money];
