import { BotWithoutToken } from '../../../ui/bot-without-token.tsx';

export function NotConfigured() {
  return (
    <BotWithoutToken bot="Telegram" variable="TELEGRAM_BOT_TOKEN" start="Initialize Bot">
      In Telegram, write to <code className="bg-raised px-1.5">@BotFather</code>, send{' '}
      <code className="bg-raised px-1.5">/newbot</code> and answer its two questions. It gives you a token.
    </BotWithoutToken>
  );
}
