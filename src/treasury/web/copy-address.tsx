import { useToast } from '../../ui/toast/toast-provider.tsx';
import { Button } from '../../ui/button.tsx';

/** Copies the treasury address and says so, or says that the browser does not allow it. */
export function CopyAddress({ address }: { readonly address: string }) {
  const showToast = useToast();
  const copy = () => {
    navigator.clipboard.writeText(address).then(
      () => showToast({ title: 'Copied!', description: 'Treasury address copied to clipboard' }),
      () =>
        showToast({ title: 'Not copied', description: 'Select the address and copy it by hand', look: 'destructive' }),
    );
  };
  return (
    <Button className="noscript:hidden" onClick={copy}>
      Copy address
    </Button>
  );
}
