import { useRef, useState } from 'react';
import { failureText } from '../../../ui/api/api-client.ts';
import { isContractRefusal } from './configure-values.ts';

/** A contract that the server knows to be none, and why; said at its field, which takes the focus. Another one is not refused yet. */
export function useContractRefusal() {
  const [refused, setRefused] = useState<{ readonly contract: string; readonly reason: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  return {
    field,
    take: (contract: string, error: unknown): void => {
      if (!isContractRefusal(error)) return;
      setRefused({ contract, reason: failureText(error) });
      field.current?.focus();
    },
    forget: () => setRefused(null),
    of: (contract: string) => (refused?.contract === contract ? { nftContract: refused.reason } : null),
  };
}
