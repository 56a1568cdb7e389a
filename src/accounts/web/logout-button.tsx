import { Button } from '../../ui/button.tsx';
import { useLogout } from './use-logout.ts';

export function LogoutButton() {
  const { logOut, busy } = useLogout();
  return (
    <Button size="small" busy={busy} onClick={logOut}>
      Logout
    </Button>
  );
}
