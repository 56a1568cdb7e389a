import { type ButtonLook, ExternalLinkButton } from '../../../ui/button.tsx';

export interface BackToDiscordProps {
  readonly text?: string;
  readonly look?: ButtonLook;
}

/** The servers have no address that this site knows: Discord opens where the member was last. */
export const BackToDiscord = ({ text = 'Back to Discord', look = 'stone' }: BackToDiscordProps) => (
  <ExternalLinkButton href="https://discord.com/channels/@me" look={look} className="mt-6">
    {text}
  </ExternalLinkButton>
);
