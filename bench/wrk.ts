import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** wrk (Debian's package) because its latencies are in microseconds and it leaves the other core to the server. */
export const ensureWrk = (): void => {
  if (existsSync('/usr/bin/wrk')) return;
  if (process.getuid?.() !== 0) throw new Error('Install wrk first: sudo apt-get install wrk');
  execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
  execFileSync('apt-get', ['install', '-y', '-q', 'wrk'], { stdio: 'ignore' });
};

const toMs = (text: string): number => {
  const [, amount = 'NaN', unit = 'ms'] = /([\d.]+)(us|ms|s)/.exec(text) ?? [];
  return Number(amount) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
};

/** Loads one loopback address for some seconds; answers requests per second and the 99th percentile in ms. */
export const load = async (url: string, seconds: number): Promise<{ perSecond: number; p99Ms: number }> => {
  const args = ['-t', '1', '-c', '32', '-d', `${seconds}s`, '--latency', '-H', 'Accept-Encoding: br', url];
  const { stdout } = await run('wrk', args);
  if (/Non-2xx/.test(stdout)) throw new Error(`${url} answered errors under load:\n${stdout}`);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p99Ms: toMs(/99%\s+(\S+)/.exec(stdout)?.[1] ?? ''),
  };
};
