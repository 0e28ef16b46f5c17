import type { CliContext, Command } from './context.ts';
import { type CommandName, MANUAL } from './manual.ts';

/** The commands, each loaded when it is called, so that a command loads only what it needs. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  score: async () => (await import('./score.ts')).scoreCommand,
  bulk: async () => (await import('./bulk.ts')).bulkCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  evidence: async () => (await import('./replay.ts')).evidenceCommand,
  snapshot: async () => (await import('./holders.ts')).snapshotCommand,
  holders: async () => (await import('./holders.ts')).holdersCommand,
  decode: async () => (await import('./decode.ts')).decodeCommand,
  validate: () => commandAt('../../research/validate-command.ts'),
  index: async () => (await import('./index-command.ts')).indexCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  rms: async () => (await import('./rms.ts')).rmsCommand,
  log: async () => (await import('./log.ts')).logCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  policy: async () => (await import('./policy.ts')).policyCommand,
  thresholds: async () => (await import('./thresholds.ts')).thresholdsCommand,
  alerts: async () => (await import('./alerts.ts')).alertsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  plans: async () => (await import('./keys.ts')).plansCommand,
  usage: async () => (await import('./keys.ts')).usageCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  sources: async () => (await import('./sources.ts')).sourcesCommand,
  registers: async () => (await import('./registers.ts')).registersCommand,
  config: async () => (await import('./sources.ts')).configCommand,
  doctor: async () => (await import('./operations.ts')).doctorCommand,
  backup: async () => (await import('./operations.ts')).backupCommand,
  restore: async () => (await import('./operations.ts')).restoreCommand,
  migrate: async () => (await import('./operations.ts')).migrateCommand,
  'migrate-to': async () => (await import('./migrate-to.ts')).migrateToCommand,
};

/** A command of a folder beside `src`, which `src` may not import: it is loaded by its path when it is called. */
async function commandAt(path: string): Promise<Command> {
  const loaded: { readonly command: Command } = await import(new URL(path, import.meta.url).href);
  return loaded.command;
}

/** Text of `assay help`. */
export function helpText(): string {
  const rows = [
    ['all', 'start the service: replies to requests and does the work (npm start); serve is the same'],
    ['api', 'start a process that only replies to requests; workers on the same database do the work'],
    ['worker', 'start a process that only does the work'],
    ...Object.entries(MANUAL).map(([name, { summary }]) => [name, summary]),
  ];
  const usages = Object.values(MANUAL).map(({ usage }) => `  ${usage.replaceAll('\n', '\n  ')}`);
  return [
    'assay <command>',
    '',
    ...rows.map(([name = '', summary]) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'usage:',
    '  assay all | api | worker',
    ...usages,
  ].join('\n');
}

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** Text of `assay COMMAND --help`. */
export function helpTextOf(name: CommandName): string {
  const { summary, usage } = MANUAL[name];
  return `${summary}\n\nusage: ${usage.replaceAll('\n', '\n       ')}`;
}

/** Runs a command. Returns its exit code; 64 (usage) for invalid options. */
export async function runCommand(name: CommandName, args: readonly string[], context: CliContext): Promise<number> {
  try {
    return await (await COMMANDS[name]()).run(args, context);
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      context.terminal.err(`${await optionFault(error.message, MANUAL[name].usage)}\nusage: ${MANUAL[name].usage}`);
      return 64;
    }
    throw error;
  }
}

/** The error in an option, with the most similar valid one. */
async function optionFault(message: string, usage: string): Promise<string> {
  const given = /^Unknown option '(--?[^']{1,60})'/.exec(message)?.[1];
  if (given === undefined) return message;
  const { nearestName } = await import('../domain/index.ts');
  const near = nearestName(given.toLowerCase(), [...new Set(usage.match(/--[a-z-]+/g))]);
  return `there is no option ${given}${near === null ? '' : `; did you mean ${near}?`}`;
}
