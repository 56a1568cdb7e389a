import { Card } from '../../../web/ui/card.tsx';

/** Rulings R1: a bot without a token is a normal state that says so in words, and how to change it. */
export function NotConfigured() {
  return (
    <Card as="section" tone="glow" aria-labelledby="discord-not-configured">
      <h2 id="discord-not-configured" className="title-3">
        Give the bot a token
      </h2>
      <p className="mt-3">This installation has no token for the Discord bot, so it cannot be started.</p>
      <ol className="mt-3 list-decimal space-y-2 pl-5">
        <li>
          Create an application with a bot at <code className="bg-raised px-1.5">discord.com/developers</code>, switch
          on its Server Members Intent and copy the bot&rsquo;s token.
        </li>
        <li>
          Set <code className="bg-raised px-1.5">DISCORD_BOT_TOKEN</code> to it in the environment of the server, as{' '}
          <code className="bg-raised px-1.5">README.md</code> says.
        </li>
        <li>Start the server again, then press &lsquo;Start&rsquo; here.</li>
      </ol>
      <p className="mt-3 text-quiet">Everything else works without it.</p>
    </Card>
  );
}
