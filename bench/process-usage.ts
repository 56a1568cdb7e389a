import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** Peak resident memory of one process in MB, without its children (Linux). */
export const peakResidentMb = (pid: number): number => {
  const kb = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
};

/** A process and all its descendants (Linux). */
export const treeOf = (rootPid: number): readonly number[] => {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isInTree = (pid: number): boolean =>
    pid === rootPid || (parents.has(pid) && parents.get(pid) !== 0 && isInTree(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isInTree);
};

/** Resident memory of a process and all its descendants, in MB; shared pages counted once each (PSS). */
export const treeMemoryMb = (rootPid: number): number => {
  const kbOf = (pid: number): number =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  return treeOf(rootPid).reduce((sum, pid) => sum + kbOf(pid), 0) / 1024;
};

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Processor time that one process has used so far, in seconds, without its children (Linux). */
export const processorSeconds = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name may contain anything, so parsing starts after its closing bracket.
  const [userTicks, systemTicks] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) / ticksPerSecond;
};
