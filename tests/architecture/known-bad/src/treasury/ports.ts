export const market = 1;
