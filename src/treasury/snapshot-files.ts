import { type ReadyAnswer, type LazyAnswer, createLazyAnswer, makeReadyAnswerAside } from '../http/ready-answer.ts';
import type { TreasurySnapshot } from './contract.ts';
import { exportFileName, snapshotCsv, snapshotJson } from './core/snapshot-export.ts';
import type { ServedSnapshot } from './served-snapshot.ts';

/** Rulings R3: the downloads, each a ready answer of the snapshot that is shown. */
export interface SnapshotFiles {
  readonly csv: LazyAnswer;
  readonly json: LazyAnswer;
}

/** To be asked only once there is a snapshot. */
export function createSnapshotFiles(served: ServedSnapshot): SnapshotFiles {
  const fileOf = (extension: 'csv' | 'json', contentType: string, write: (snapshot: TreasurySnapshot) => string) => {
    const make = async (): Promise<ReadyAnswer> => {
      const snapshot = served.snapshot();
      if (snapshot === null) throw new Error('There is no snapshot to write a file of');
      return makeReadyAnswerAside(write(snapshot), {
        contentType,
        cacheControl: 'no-cache',
        extraHeaders: { 'Content-Disposition': `attachment; filename="${exportFileName(snapshot, extension)}"` },
      });
    };
    return createLazyAnswer(make);
  };
  const files = {
    csv: fileOf('csv', 'text/csv; charset=utf-8', snapshotCsv),
    json: fileOf('json', 'application/json; charset=utf-8', snapshotJson),
  };
  served.onChange(() => {
    files.csv.forget();
    files.json.forget();
  });
  return files;
}
