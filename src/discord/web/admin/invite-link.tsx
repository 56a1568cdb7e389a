import { useRef } from 'react';
import { useToast } from '../../../ui/toast/toast-provider.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextField } from '../../../ui/text-field.tsx';

/** Specification 2: the invite URL, read-only, with Copy. */
export function InviteLink({ url }: { readonly url: string }) {
  const field = useRef<HTMLInputElement>(null);
  const showToast = useToast();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url);
      showToast({ title: 'Copied!', description: 'Invite URL copied to clipboard' });
    } catch {
      // Without a secure connection or the permission the browser copies nothing for us.
      field.current?.select();
      showToast({
        look: 'destructive',
        title: 'Not copied',
        description: 'The browser did not allow it. The URL is selected, so you can copy it yourself.',
      });
    }
  };
  return (
    <Card as="section" aria-labelledby="discord-invite">
      <h2 id="discord-invite" className="title-3 mb-4">
        Invite the bot to a server
      </h2>
      <TextField
        ref={field}
        label="Invite URL"
        readOnly
        value={url}
        hint="Open it to choose a server. Then configure the server here under ‘Servers’ and use /setup in the server to choose the role and channel."
        onFocus={({ target }) => target.select()}
        end={
          <button type="button" className="field-end" onClick={() => void copy()}>
            Copy
          </button>
        }
      />
    </Card>
  );
}
