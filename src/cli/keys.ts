import { parseArgs } from 'node:util';
import {
  type AccessService,
  type ApiKey,
  type Plan,
  type PlanBook,
  planFault,
  type Statement,
  statementCsv,
  type UsageService,
} from '../access/index.ts';
import { createReader, type FieldError, KeyBody, RotateKeyBody } from '../contract/index.ts';
import { canonicalIpRange, counted, DAY_MS, ok, type Result } from '../domain/index.ts';
import type { Command, Terminal } from './context.ts';
import { MANUAL } from './manual.ts';

/** A century. */
const MOST_DAYS = 36_500;

export const keysCommand: Command = {
  ...MANUAL.keys,
  async run(args, { terminal, openAccess, plans, now }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string', default: 'score,rms:read' },
        plan: { type: 'string', default: 'RATING' },
        'expires-days': { type: 'string' },
        ips: { type: 'string' },
        account: { type: 'string' },
        'overlap-seconds': { type: 'string', default: '86400' },
        json: { type: 'boolean' },
      },
    });
    const [action, id] = positionals;
    const show = (key: ApiKey, secret: string | null) =>
      terminal.out(values.json ? JSON.stringify({ ...key, ...(secret ? { secret } : {}) }) : lineOf(key, secret));

    if (action === 'list') {
      const keys = await (await openAccess()).list();
      if (values.json) terminal.out(JSON.stringify(keys));
      else for (const key of keys) show(key, null);
      return 0;
    }
    if (action === 'create') {
      const wanted = wantedKey(values, await plans(), now());
      if (!wanted.ok) {
        terminal.err(wanted.detail);
        return 64;
      }
      const made = await (await openAccess()).create(wanted.value);
      show(made.key, made.secret);
      return 0;
    }
    if (action === 'rotate' && id) {
      const wanted = readRotation({ overlap_seconds: Number(values['overlap-seconds']) });
      if (!wanted.ok) {
        terminal.err(wanted.errors.map(({ detail }) => `--overlap-seconds: ${detail}`).join('\n'));
        return 64;
      }
      const made = await (await openAccess()).rotate(id, wanted.value.overlap_seconds);
      if (made.ok) show(made.key, made.secret);
      else if (made.code === 'key_not_found') terminal.err(`there is no active key ${id}`);
      else
        terminal.err(
          `${id} was rotated already: its successor is ${made.successorId}. Rotate that one, or revoke it first if its secret is lost`,
        );
      return made.ok ? 0 : 1;
    }
    if (action === 'revoke' && id) {
      const done = await (await openAccess()).revoke(id);
      if (done) terminal.out(`revoked ${id}`);
      else terminal.err(`there is no active key ${id}`);
      return done ? 0 : 1;
    }
    terminal.err(`usage:\n${keysCommand.usage}`);
    return 64;
  },
};

interface KeyOptions {
  readonly name?: string;
  readonly scopes?: string;
  readonly plan?: string;
  readonly 'expires-days'?: string;
  readonly ips?: string;
  readonly account?: string;
}

/** Options of the command by fields of the request of which they are parts. */
const OPTIONS: Readonly<Record<string, string>> = {
  name: '--name',
  scopes: '--scopes',
  plan: '--plan',
  account_id: '--account',
  allowed_ips: '--ips',
};
const readKey = createReader(KeyBody);
const readRotation = createReader(RotateKeyBody);

/** The key described by the options of `create`, by the rules of POST /v1/admin/keys, or the invalid options. */
function wantedKey(
  { name, scopes = '', plan = '', 'expires-days': lasts, ips, account }: KeyOptions,
  book: PlanBook,
  now: number,
): Result<Parameters<AccessService['create']>[0], { readonly detail: string }> {
  const list = (text: string) => text.split(',').map((item) => item.trim());
  if (!name) return { ok: false, detail: '--name is required' };
  const read = readKey({
    name,
    scopes: list(scopes),
    plan,
    account_id: account ?? null,
    allowed_ips: ips ? list(ips) : [],
  });
  if (!read.ok) return { ok: false, detail: detailsOf(read.errors) };
  const fault = planFault(book, plan);
  if (fault !== null) return { ok: false, detail: `--plan: ${fault}` };
  const days = lasts === undefined ? null : Number(lasts);
  if (days !== null && !(days > 0 && days <= MOST_DAYS))
    return { ok: false, detail: `--expires-days must be a number of days above 0 and at most ${MOST_DAYS}` };
  return ok({
    name: read.value.name.trim(),
    accountId: account ?? null,
    scopes: read.value.scopes,
    plan,
    expiresAt: days === null ? null : new Date(now + days * DAY_MS).toISOString(),
    allowedIps: read.value.allowed_ips.flatMap((ip) => canonicalIpRange(ip) ?? []),
  });
}

function detailsOf(errors: readonly FieldError[]): string {
  return errors
    .map(({ pointer, detail }) => `${OPTIONS[pointer.split('/')[1] ?? ''] ?? pointer}: ${detail}`)
    .join('\n');
}

function lineOf(key: ApiKey, secret: string | null): string {
  const state = key.revokedAt ? `revoked ${key.revokedAt}` : key.expiresAt ? `until ${key.expiresAt}` : 'no expiry';
  const line = `${key.id}  ${key.accountId}  ${key.prefix}...  ${key.name}  [${key.scopes.join(' ')}]  ${key.plan}  ${state}`;
  return secret ? `${line}\n${secret}\nThe key is shown once; only its hash is kept.` : line;
}

export const plansCommand: Command = {
  ...MANUAL.plans,
  async run(args, { terminal, plans }) {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
    const book = await plans();
    if (values.json) terminal.out(JSON.stringify(book.plans));
    else for (const plan of book.plans) for (const line of linesOf(plan)) terminal.out(line);
    return 0;
  },
};

function linesOf(plan: Plan): readonly string[] {
  const price = plan.priceUsdPerMonth === null ? 'not sold by itself' : `$${plan.priceUsdPerMonth.toFixed(2)} a month`;
  const most = (limit: number | null) => (limit === null ? 'any number of' : String(limit));
  const names = (list: readonly string[] | '*') => (list === '*' ? 'all' : list.join(', ') || 'none');
  const freshness = plan.freshnessGridSeconds === 0 ? 'newest' : `every ${plan.freshnessGridSeconds} s`;
  const { sla } = plan;
  return [
    `${plan.name}  ${plan.title}, ${price}`,
    `  scopes ${names(plan.scopes)}; chains ${names(plan.chains)}; exports ${names(plan.exports)}; snapshots ${freshness}`,
    `  ${most(plan.requestsPerMinute)} requests a minute, ${most(plan.requestsPerDay)} a day (UTC); batches of ${plan.batchSize}; ${most(plan.concurrentScoringJobs)} scoring jobs at once; ${most(plan.freshRatingsPerDay)} fresh ratings and ${most(plan.collectionsPerDay)} collections a day`,
    `  watchlist of ${plan.watchlistSize}; ${counted(plan.indexedAssets, 'asset')} indexed on request; bulk jobs of ${counted(plan.bulkRows, 'row')}; ${counted(plan.webhooks, 'webhook')}; ${counted(plan.streamConnections, 'stream')}, of chain data with ${counted(plan.streamAssets, 'asset')} each`,
    ...(sla === null
      ? []
      : [
          `  promised: ${sla.availabilityPct} % available, market data no older than ${sla.marketAgeSeconds} s, 99 % of reads within ${sla.latencyP99Ms} ms`,
          `  owed: ${sla.credits.map((step) => `${step.creditPct} % below ${step.belowPct} %`).join(', ')}; ${sla.freshnessCreditPct} % for freshness, ${sla.latencyCreditPct} % for latency`,
        ]),
  ];
}

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

/** Sequentially: an operator may have thousands of accounts. Accounts with an empty statement are left out. */
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
        `  ${line.plan.padEnd(12)} ${counted(line.requests, 'request')}, ${line.billable} billable, ${line.refused} refused, ${line.errors} failed, ${counted(line.bytes, 'byte')}; ${line.priceUsd === null ? 'no price' : `$${line.priceUsd}`}${line.creditUsd === '0.00' ? '' : `, credit $${line.creditUsd} (${line.serviceLevel?.breaches.join(', ')})`}`,
      );
  }
}
