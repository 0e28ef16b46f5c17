import type { Taken } from './lanes.ts';

/** A crash of the process fails all files of its group, and so many are run again. */
export const MOST_FILES = 10;
/** Seconds of a processor that the files of a group take, each in a process of its own: a group must not be what a run ends with. */
const MOST_SECONDS = 30;
/** A file that takes longer gains little, and one that waits runs beside others. */
const LONG_SECONDS = 10;
const LEAST_SHARE = 0.6;
const SHORT_WAIT_SECONDS = 1;

/** What a file may change or measure of its whole process, or what a group cannot load; browsers are started by each file for itself. */
const OF_PROCESS: readonly RegExp[] = [
  /\bprocess\.(?:env|exit|exitCode|argv|execArgv|on|once|off|chdir|cwd|umask|memoryUsage|cpuUsage|resourceUsage|getActive\w*)\b/,
  /\bmock\b|\bglobalThis\b|\bregisterHooks\b/,
  /\bownTime\b|\bperformance\.|'node:(?:v8|inspector|perf_hooks|async_hooks|diagnostics_channel)'/,
  /'playwright-core'|\/browser\.ts'/,
  // `await` outside of every test.
  /^(?:(?:const|let) .*= )?await /m,
];

/** Whether a test file with this text needs a process of its own. */
export const needsOwnProcess = (text: string): boolean => OF_PROCESS.some((pattern) => pattern.test(text));

/**
 * The files in groups, each of which is one process: loading a service takes longer than most tests with it. In a group are neighbours
 * that were measured, are short, compute and leave the process as it was; every other file is a group of its own.
 */
export function grouped(
  files: readonly string[],
  taken: Readonly<Record<string, Taken>>,
  isApart: (file: string) => boolean,
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let open: string[] = [];
  let seconds = 0;
  for (const file of files) {
    const known = taken[file];
    if (known === undefined || !isShort(known) || isApart(file)) {
      groups.push([file]);
      continue;
    }
    if (open.length === 0 || open.length >= MOST_FILES || seconds + known.cpu > MOST_SECONDS) {
      open = [];
      seconds = 0;
      groups.push(open);
    }
    open.push(file);
    seconds += known.cpu;
  }
  return groups;
}

function isShort({ wall, cpu }: Taken): boolean {
  return cpu <= LONG_SECONDS && (cpu >= LEAST_SHARE * wall || wall - cpu <= SHORT_WAIT_SECONDS);
}
