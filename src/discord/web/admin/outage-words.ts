import { failureText } from '../../../ui/api/api-client.ts';

/** Specification 7 calls it offline; that it is not known is said beside. */
export const outageText = (outage: unknown): string =>
  `Could not find out whether the bot is online. ${failureText(outage)}`;
