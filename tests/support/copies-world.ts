import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start-sandbox.ts';
import type { BotCopy, GroundDeps } from './copy-ground.ts';
import { type TestDatabase, testDatabase } from './database.ts';

/** A sandbox, a database, and any number of copies of the product on both. */
export interface CopiesWorld<Copy, Options> {
  readonly sandbox: Sandbox;
  readonly database: TestDatabase;
  /** Everything logged so far, one JSON line per entry. */
  readonly log: () => string;
  copy(options?: Options): Promise<Copy>;
  /** A running copy whose bot an admin has started. */
  activeCopy(options?: Options): Promise<Copy>;
  /** Every copy so far, including stopped ones. */
  readonly copies: readonly Copy[];
  /** Every entry of the audit log, oldest first. */
  audited(): Promise<
    readonly { readonly action: string; readonly actor: string; readonly before: unknown; readonly after: unknown }[]
  >;
  end(): Promise<void>;
}

interface Given {
  readonly name?: string;
  readonly pace?: object | undefined;
}

interface Kind<Copy, Options> {
  readonly sandboxOptions: SandboxOptions;
  /** The default pace of these tests, which an option can override. */
  readonly pace: object;
  /** The call with which an admin starts the bot. */
  readonly initPath: string;
  readonly start: (
    deps: Omit<GroundDeps, 'urls'> & Pick<Sandbox, 'urls'> & Options & { readonly pace: never },
  ) => Promise<Copy>;
}

export async function startCopiesWorld<Copy extends BotCopy, Options extends Given>(
  kind: Kind<Copy, Options>,
): Promise<CopiesWorld<Copy, Options>> {
  const sandbox = await startSandbox(kind.sandboxOptions);
  const database = await testDatabase();
  const copies: Copy[] = [];
  let log = '';
  const copy = async (options?: Options): Promise<Copy> => {
    const made = await kind.start({
      databaseUrl: database.url,
      urls: sandbox.urls,
      facts: sandbox.facts,
      write: (line) => void (log += line),
      ...(options as Options),
      name: options?.name ?? `copy ${copies.length}`,
      pace: { ...kind.pace, ...options?.pace } as never,
    });
    copies.push(made);
    return made;
  };
  return {
    sandbox,
    database,
    log: () => log,
    copy,
    copies,
    activeCopy: async (options) => {
      const made = await copy(options);
      const { status, body } = await made.call('POST', kind.initPath);
      if (status !== 200) throw new Error(`init answered ${status}: ${body.message}`);
      return made;
    },
    audited: async () => {
      const rows = await database.rows<{ action: string; actor_name: string; before: unknown; after: unknown }>(
        'select * from audit_entries order by id',
      );
      return rows.map(({ action, actor_name: actor, before, after }) => ({ action, actor, before, after }));
    },
    end: async () => {
      await Promise.all(copies.map((each) => each.stop()));
      await sandbox.stop();
      await database.drop();
    },
  };
}
