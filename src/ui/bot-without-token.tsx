import type { ReactNode } from 'react';
import { Card } from './card.tsx';

interface BotWithoutTokenProps {
  readonly bot: 'Discord' | 'Telegram';
  /** The environment variable that holds it. */
  readonly variable: string;
  /** The text of the button that starts the bot. */
  readonly start: string;
  /** Where a token comes from: the first step. */
  readonly children: ReactNode;
}

/** Rulings R1: a bot without a token is a normal state that says so in words, and how to change it. */
export function BotWithoutToken({ bot, variable, start, children }: BotWithoutTokenProps) {
  return (
    <Card as="section" tone="glow" aria-labelledby="bot-without-token">
      <h2 id="bot-without-token" className="title-3">
        Give the bot a token
      </h2>
      <p className="mt-3">This installation has no token for the {bot} bot, so it cannot be started.</p>
      <ol className="mt-3 list-decimal space-y-2 pl-5">
        <li>{children}</li>
        <li>
          Set <code className="bg-raised px-1.5">{variable}</code> to it in the environment of the server, as{' '}
          <code className="bg-raised px-1.5">README.md</code> says.
        </li>
        <li>Start the server again, then press &lsquo;{start}&rsquo; here.</li>
      </ol>
      <p className="mt-3 text-quiet">Everything else works without it.</p>
    </Card>
  );
}
