import { parseArgs } from 'node:util';
import type { Statement, UsageService } from '../access/index.ts';
import { statementCsv } from '../access/index.ts';
import type { Command } from './command.ts';
import type { Terminal } from './context.ts';
import { MANUAL } from './manual.ts';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export const usageCommand: Command = {
  ...MANUAL.usage,
  async run(args, { terminal, openUsage, now }) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        account: { type: 'string' },
        month: { type: 'string' },
        csv: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    const present = new Date(now()).toISOString().slice(0, 7);
    const month = values.month ?? present;
    if (!MONTH.test(month) || month > present || (values.csv && values.json)) {
      terminal.err(
        values.csv && values.json ? '--csv or --json, not both' : `--month must be ${present} or earlier, as YYYY-MM`,
      );
      return 64;
    }
    const usage = await openUsage();
    const accounts = await usage.accounts();
    if (values.account !== undefined && !accounts.includes(values.account)) {
      terminal.err(`there is no account ${values.account}; assay keys list shows keys with their accounts`);
      return 1;
    }
    const wanted = values.account === undefined ? accounts : [values.account];
    const statements = await statementsOf(usage, wanted, month);
    if (values.json) terminal.out(JSON.stringify(statements));
    else if (values.csv) terminal.out(statementCsv(statements).trimEnd());
    else show(terminal, statements, month);
    return 0;
  },
};

/** One after the other: an operator may have thousands of accounts. Those with nothing to state are left out. */
async function statementsOf(usage: UsageService, accounts: readonly string[], month: string): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (const account of accounts) statements.push(await usage.statement(account, month));
  return statements.filter((one) => one.lines.length > 0);
}

function show(terminal: Terminal, statements: readonly Statement[], month: string): void {
  if (statements.length === 0) terminal.out(`nothing was held or used in ${month}`);
  for (const { accountId, lines, totals, isFinal } of statements) {
    terminal.out(`${accountId}  ${month}${isFinal ? '' : ' so far'}  due $${totals.dueUsd}`);
    for (const line of lines)
      terminal.out(
        `  ${line.plan.padEnd(12)} ${line.requests} requests, ${line.billable} billable, ${line.refused} refused, ${line.errors} failed, ${line.bytes} bytes; ${line.priceUsd === null ? 'no price' : `$${line.priceUsd}`}${line.creditUsd === '0.00' ? '' : `, credit $${line.creditUsd} (${line.serviceLevel?.breaches.join(', ')})`}`,
      );
  }
}
