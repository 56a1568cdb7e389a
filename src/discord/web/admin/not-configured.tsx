import { BotWithoutToken } from '../../../ui/bot-without-token.tsx';

export function NotConfigured() {
  return (
    <BotWithoutToken bot="Discord" variable="DISCORD_BOT_TOKEN" start="Start">
      Create an application with a bot at <code className="bg-raised px-1.5">discord.com/developers</code>, turn on its
      Server Members Intent and copy the bot&rsquo;s token.
    </BotWithoutToken>
  );
}
