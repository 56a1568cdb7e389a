export const now = (): unknown => [fetch, process, document, setTimeout];
