import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { TelegramConfiguration } from './telegram-answers.ts';
import { shownChat, shownCollection } from './configuration-names.ts';
import type { ListActions } from './configurations-list.tsx';

interface RowActionsProps extends ListActions {
  readonly configuration: TelegramConfiguration;
}

export function RowActions({ configuration, onOpen, onDeliveries, lastShownId }: RowActionsProps) {
  const box = useRef<HTMLDivElement>(null);
  const { id } = configuration;
  useEffect(() => {
    // Back from its deliveries: the keyboard goes on where it left.
    if (lastShownId === id) box.current?.querySelector('button')?.focus();
  }, [lastShownId, id]);
  const ofWhich = (
    <span className="sr-only"> of {`${shownCollection(configuration)} in ${shownChat(configuration)}`}</span>
  );
  return (
    <div ref={box} className="row-actions">
      <Button size="small" onClick={() => onDeliveries(id)}>
        Deliveries{ofWhich}
      </Button>
      <Button size="small" onClick={() => onOpen({ kind: 'hex-id', configuration })}>
        Edit hex ID{ofWhich}
      </Button>
      <Button size="small" onClick={() => onOpen({ kind: 'reset', configuration })}>
        Reset count{ofWhich}
      </Button>
      <Button size="small" look="danger" onClick={() => onOpen({ kind: 'delete', configuration })}>
        Delete{ofWhich}
      </Button>
    </div>
  );
}
