import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiError } from '../../ui/api/api-client.ts';
import { useApiMutation } from '../../ui/api/use-api-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { storeUser } from './session.tsx';

/** POST /api/auth/logout: toasts, an emptied cache, and the way to /auth. */
export function LogoutButton() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { send, busy } = useApiMutation({
    call: () => ({ method: 'POST', path: '/api/auth/logout' }),
    success: { title: 'Logout successful', description: 'You have been logged out.' },
    // Specification 8: the server's message or 'Logout failed'.
    failure: (_, error) => ({
      title: 'Logout failed',
      description: (error instanceof ApiError ? error.serverMessage : null) ?? 'Logout failed',
    }),
    onDone: () => {
      navigate('/auth', { replace: true });
      storeUser(client, null);
    },
  });
  return (
    <Button size="small" busy={busy} onClick={() => send()}>
      Logout
    </Button>
  );
}
