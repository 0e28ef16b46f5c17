import type { Taken } from './lanes.ts';

/** A crash of the process fails all files of its group, and so many are run again. */
export const MOST_FILES = 16;
/** Seconds of a processor that the files of a group take, each in a process of its own: a group must not be what a run ends with. */
const MOST_SECONDS = 60;
/** The same for what files that wait take by the clock: they run beside others, one after the other. */
const MOST_WAITING_SECONDS = 60;
/** A file that takes longer gains little. */
const LONG_SECONDS = 16;
const LEAST_SHARE = 0.6;
const SHORT_WAIT_SECONDS = 1;

/** What a file may change or measure of its whole process, or what a group cannot load; browsers are started by each file for itself. */
const OF_PROCESS: readonly RegExp[] = [
  /\bprocess\.(?:exit|exitCode|argv|execArgv|on|once|off|chdir|cwd|umask|memoryUsage|cpuUsage|resourceUsage|getActive\w*)\b/,
  // A variable that is read, and a copy of all of them, change nothing.
  /\bdelete process\.env\b|\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*(?:\?\?|\|\||&&|\+)?=(?!=)|(?<!\.\.\.)\bprocess\.env\b(?![.[])/,
  /\bmock\b|\bglobalThis\b|\bregisterHooks\b/,
  // To read the clock measures nothing of the process.
  /\bownTime\b|\bperformance\.(?!now\b)|'node:(?:v8|inspector|perf_hooks|async_hooks|diagnostics_channel)'/,
  /'playwright-core'|\/browser\.ts'/,
  // `await` outside of every test.
  /^(?:(?:const|let) .*= )?await /m,
];

/** Whether a test file with this text needs a process of its own. */
export const needsOwnProcess = (text: string): boolean => OF_PROCESS.some((pattern) => pattern.test(text));

interface Open {
  readonly files: string[];
  cpu: number;
  wall: number;
}

/**
 * The files in groups, each of which is one process: loading a service takes longer than most tests with it. In a group are neighbours
 * that were measured, are short and left the process as it was: those that compute in some, those that wait in others. Every other file
 * is a group of its own.
 */
export function grouped(
  files: readonly string[],
  taken: Readonly<Record<string, Taken>>,
  isApart: (file: string) => boolean,
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  const open: Record<'compute' | 'wait', Open | null> = { compute: null, wait: null };
  for (const file of files) {
    const known = taken[file];
    if (known === undefined || !isShort(known) || isApart(file)) {
      groups.push([file]);
      continue;
    }
    const kind = computes(known) ? 'compute' : 'wait';
    let group = open[kind];
    if (group === null || isFull(group, known)) {
      group = { files: [], cpu: 0, wall: 0 };
      open[kind] = group;
      groups.push(group.files);
    }
    group.files.push(file);
    group.cpu += known.cpu;
    group.wall += known.wall;
  }
  return groups;
}

function isFull({ files, cpu, wall }: Open, next: Taken): boolean {
  const most = computes(next) ? MOST_SECONDS : MOST_WAITING_SECONDS;
  return files.length >= MOST_FILES || (computes(next) ? cpu + next.cpu : wall + next.wall) > most;
}

function isShort({ wall, cpu }: Taken): boolean {
  return cpu <= LONG_SECONDS && wall <= MOST_WAITING_SECONDS;
}

function computes({ wall, cpu }: Taken): boolean {
  return cpu >= LEAST_SHARE * wall || wall - cpu <= SHORT_WAIT_SECONDS;
}
