import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The most memory that one process ever had resident, in MB, children apart (Linux). */
export const peakResidentMb = (pid: number): number => {
  const kb = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
};

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor time that one process has used so far, in seconds, children apart (Linux). */
export const processorSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may hold anything; what follows its bracket does not.
  const [userTicks, systemTicks] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) / ticksPerSecond;
};
