import { embeddedDatabase, embeddedUser } from './cluster-folder.ts';

/** The address of the embedded server whose Unix socket lies in `socketDir`. */
export function embeddedUrl(socketDir: string): string {
  return `postgresql://${embeddedUser}@localhost/${embeddedDatabase}?host=${encodeURIComponent(socketDir)}`;
}
