import { Unavailable } from '../../shared/failure.ts';

export const otherBotReason = 'discord-other-bot';

/** A token begins with the bot's id in base64 (Discord's documentation, Reference, Authentication); null: this one does not. */
export function tokenBotId(botToken: string | null): string | null {
  const id = Buffer.from(botToken?.split('.')[0] ?? '', 'base64').toString('latin1');
  return /^\d{5,20}$/.test(id) ? id : null;
}

/** The token belongs to another bot than the servers know; `knownAs`: the known one's name, or null. */
export const otherBot = (knownAs: string | null): Unavailable => {
  const known = knownAs === null ? 'the one' : `${knownAs}, the one`;
  const sentence = `DISCORD_BOT_TOKEN belongs to another bot than ${known} that the servers know. Put back that bot's token and restart the product; if the change is meant, press 'Stop trying', then 'Start', and invite the new bot to every server.`;
  return new Unavailable(otherBotReason, sentence);
};
