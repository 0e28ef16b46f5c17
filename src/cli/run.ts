import { alertsCommand } from './alerts.ts';
import { backupCommand } from './backup.ts';
import type { Command } from './command.ts';
import { configCommand } from './config.ts';
import type { CliContext } from './context.ts';
import { decodeCommand } from './decode.ts';
import { doctorCommand } from './doctor.ts';
import { evidenceCommand } from './evidence.ts';
import { exportCommand } from './export.ts';
import { holdersCommand } from './holders.ts';
import { indexCommand } from './index-command.ts';
import { keysCommand } from './keys.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { migrateToCommand } from './migrate-to.ts';
import { plansCommand } from './plans.ts';
import { replayCommand } from './replay.ts';
import { restoreCommand } from './restore.ts';
import { rmsCommand } from './rms.ts';
import { scoreCommand } from './score.ts';
import { snapshotCommand } from './snapshot.ts';
import { sourcesCommand } from './sources.ts';
import { usageCommand } from './usage.ts';
import { validateCommand } from './validate.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
  score: scoreCommand,
  replay: replayCommand,
  evidence: evidenceCommand,
  snapshot: snapshotCommand,
  holders: holdersCommand,
  decode: decodeCommand,
  validate: validateCommand,
  index: indexCommand,
  export: exportCommand,
  rms: rmsCommand,
  alerts: alertsCommand,
  keys: keysCommand,
  plans: plansCommand,
  usage: usageCommand,
  mcp: mcpCommand,
  sources: sourcesCommand,
  config: configCommand,
  doctor: doctorCommand,
  backup: backupCommand,
  restore: restoreCommand,
  migrate: migrateCommand,
  'migrate-to': migrateToCommand,
};

/** Text of `assay help`. */
export function helpText(): string {
  const rows = [
    ['all', 'start the service: answers and works (npm start); serve is the same'],
    ['api', 'start a process that only answers; workers on the same database do the work'],
    ['worker', 'start a process that only works'],
    ...Object.entries(COMMANDS).map(([name, command]) => [name, command.summary]),
  ];
  const usages = Object.values(COMMANDS).map((command) => `  ${command.usage.replaceAll('\n', '\n  ')}`);
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

/** Runs a command by name; 64 (usage) for an unknown one. */
export async function runCommand(name: string, args: readonly string[], context: CliContext): Promise<number> {
  const command = COMMANDS[name];
  if (!command) {
    context.terminal.err(
      `there is no command ${name}; the commands are all, api, worker, ${Object.keys(COMMANDS).join(', ')}`,
    );
    return 64;
  }
  if (args.includes('--help') || args.includes('-h')) {
    context.terminal.out(`${command.summary}\n\nusage: ${command.usage.replaceAll('\n', '\n       ')}`);
    return 0;
  }
  try {
    return await command.run(args, context);
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      context.terminal.err(`${error.message}\nusage: ${command.usage}`);
      return 64;
    }
    throw error;
  }
}
