import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { createLogger, withoutSecrets } from './logger.ts';

const linesOf = (write: (logger: ReturnType<typeof createLogger>) => void): string => {
  let text = '';
  write(createLogger('info', { write: (line: string) => void (text += line) }));
  return text;
};

describe('the log', () => {
  it('writes one JSON line per event with an ISO time', () => {
    const line = JSON.parse(linesOf((logger) => logger.info({ status: 200 }, 'answered')));
    expect(line).toMatchObject({ level: 30, status: 200, msg: 'answered' });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('hides cookies, authorisation and tokens wherever they are', () => {
    const text = linesOf((logger) => {
      logger.info({ headers: { cookie: 'sid=s3cret', authorization: 'Bearer s3cret' }, token: 's3cret' }, 'asked');
      logger.info({ request: { headers: { 'set-cookie': 's3cret', 'x-api-key': 's3cret' } } }, 'asked');
    });
    expect(text).not.toContain('s3cret');
  });

  it('hides secrets in text and errors from elsewhere', () => {
    const text = linesOf((logger) => {
      logger.error(new Error('POST https://api.telegram.org/bot123:s3cret_s3cret/getMe failed'));
      logger.error({ cause: 'postgresql://rocks:s3cret@db/rocks' }, 'no database');
    });
    expect(text).not.toContain('s3cret');
    expect(text).toContain('postgresql://rocks:[hidden]@db/rocks');
  });

  it('shows an error and its causes, also several at once, and nothing that a library attached to it', () => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET', client: { connectionParameters: 's3cret' } });
    const cause = new AggregateError([reset, new Error('too late')], 'none answered');
    const text = linesOf((logger) => logger.warn({ err: new Error('no answer', { cause }) }, 'failed'));
    expect(JSON.parse(text).err).toMatchObject({
      message: 'no answer',
      cause: { message: 'none answered', errors: [{ message: 'reset', code: 'ECONNRESET' }, { message: 'too late' }] },
    });
    expect(text).not.toContain('s3cret');
  });

  it.each([
    ['/verify/s3cretS3cret', '/verify/[hidden]'],
    ['Authorization: Bearer abcdefgh1234', 'Authorization: Bearer [hidden]'],
    ['/x?a=1&token=abc&b=2', '/x?a=1&token=[hidden]&b=2'],
    ['https://sui.rocks/nft', 'https://sui.rocks/nft'],
  ])('turns %s into %s', (text, clean) => {
    expect(withoutSecrets(text)).toBe(clean);
  });

  it.skipIf(!existsSync('/dev/full'))('on a full disk neither ends the process nor keeps it from ending', () => {
    const program = `
      import { stat } from 'node:fs/promises';
      import { createLogger } from '${import.meta.resolve('./logger.ts')}';
      const log = createLogger('info');
      for (let line = 0; line < 50; line += 1) {
        log.info({ line }, 'x'.repeat(1_000));
        await stat('.');
      }
      process.exit(7);`;
    const fullDisk = openSync('/dev/full', 'w');
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', fullDisk, 'pipe'],
      timeout: 30_000,
    });
    expect([ended.status, ended.stderr.toString()]).toEqual([7, '']);
  });
});
