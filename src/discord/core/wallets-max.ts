/** Of one member in one server: as many as /wallets has buttons for. Those linked before count on, also where there are more. */
export const walletsMax = 20;
