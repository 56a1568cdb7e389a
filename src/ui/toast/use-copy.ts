import { useToast } from './toast-provider.tsx';

/** Copies a text and says so, or says what to do where the browser does not allow it. */
export function useCopy(text: string, copied: string, refused: string, onRefused?: () => void) {
  const showToast = useToast();
  return async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ title: 'Copied!', description: copied });
    } catch {
      // Without a secure connection or the permission the browser copies nothing for us.
      onRefused?.();
      showToast({ look: 'destructive', title: 'Not copied', description: refused });
    }
  };
}
