import { parseArgs } from 'node:util';
import type { AccountAlert } from '../monitoring/index.ts';
import type { Command } from './context.ts';
import { MANUAL } from './manual.ts';

export const alertsCommand: Command = {
  ...MANUAL.alerts,
  async run(args, { terminal, followAlerts }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        account: { type: 'string' },
        after: { type: 'string' },
        count: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const after = numberOf(values.after);
    const count = numberOf(values.count);
    const wrong =
      positionals[0] !== 'tail' || positionals.length > 1
        ? `usage: ${alertsCommand.usage}`
        : after === undefined || count === undefined || count === 0
          ? '--after must be a whole number, and --count one from 1'
          : after !== null && values.account === undefined
            ? '--after needs --account: alerts are numbered within their account'
            : null;
    if (wrong !== null || after === undefined || count === undefined) {
      terminal.err(wrong ?? '');
      return 64;
    }
    const stop = new AbortController();
    let shown = 0;
    for await (const alert of await followAlerts({ accountId: values.account ?? null, after }, stop.signal)) {
      terminal.out(values.json ? JSON.stringify(alert) : lineOf(alert));
      shown += 1;
      if (shown === count) stop.abort();
      if (stop.signal.aborted) break;
    }
    return 0;
  },
};

/** Null: absent; undefined: not a whole number. */
function numberOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return null;
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function lineOf(alert: AccountAlert): string {
  const { createdAt, accountId, id, severity, kind, symbol, assetId, source, title } = alert;
  const line = `${createdAt}  ${accountId} #${id}  ${severity.padEnd(8)} ${kind}  ${symbol ?? '-'} ${assetId ?? source ?? 'sources'}  ${title}`;
  // Symbols are untrusted text, which may contain control sequences of a terminal.
  return line.replace(/\p{C}/gu, '?');
}
