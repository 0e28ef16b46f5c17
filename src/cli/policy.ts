import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { PolicyVerdictReply, PortfolioVerdictReply } from '../contract/index.ts';
import { counted } from '../domain/index.ts';
import { requestOverHttp } from '../mcp/index.ts';
import type { Command, Terminal } from './context.ts';
import { MANUAL } from './manual.ts';

const DEADLINE_MS = 60_000;
const MOST_SHOWN = 20;
/** 0: allowed; 2 and 3 since 1 means failure. */
const EXIT_CODES = { allow: 0, caution: 2, block: 3 } as const;

export const policyCommand: Command = {
  ...MANUAL.policy,
  async run(args, { terminal }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string', default: process.env['ASSAY_URL'] },
        'api-key': { type: 'string', default: process.env['ASSAY_API_KEY'] },
        preset: { type: 'string' },
        rules: { type: 'string' },
        amount: { type: 'string' },
        seed: { type: 'string' },
        address: { type: 'string' },
        chain: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [action, what, ...more] = positionals;
    const isKnown = action === 'check' || action === 'portfolio';
    const isHeld = action === 'portfolio' && values.address !== undefined;
    const isWhole = isHeld ? what === undefined : what !== undefined && values.address === undefined;
    const isChainOfList = values.chain !== undefined && !isHeld;
    if (!isKnown || !isWhole || isChainOfList || more.length > 0 || values.url === undefined) {
      terminal.err(`usage:\n${policyCommand.usage}`);
      return 64;
    }
    if (values['api-key'] === undefined) {
      terminal.err('expected --api-key or ASSAY_API_KEY');
      return 64;
    }
    const rules = values.rules === undefined ? {} : { rules: await readJson(values.rules) };
    const preset = values.preset === undefined ? {} : { preset: values.preset };
    const shared = { ...preset, ...rules };
    const body =
      action === 'check'
        ? { asset: what, ...numberOf('amount_usd', values.amount), ...shared }
        : { ...(await positionsOf(what, values)), ...shared, ...simulation(values.seed) };
    const send = requestOverHttp(new URL(values.url).href.replace(/\/$/, ''), values['api-key']);
    const request = { method: 'POST', path: `/v1/policy/${action}`, body, timeoutMs: DEADLINE_MS } as const;
    const result = await send(request, AbortSignal.timeout(DEADLINE_MS));
    if (!result.ok) {
      terminal.err(result.detail);
      return 1;
    }
    if (result.value.status !== 200) {
      refused(terminal, result.value.body);
      return 1;
    }
    const reply = result.value.body as PolicyVerdictReply | PortfolioVerdictReply;
    if (values.json) terminal.out(JSON.stringify(reply, null, 2));
    else if ('positions' in reply) showPortfolio(terminal, reply);
    else showVerdict(terminal, reply);
    return EXIT_CODES[reply.outcome] ?? 1;
  },
};

/** Positions of a file, or an address and the chains to read it on. */
async function positionsOf(file: string | undefined, { address, chain }: { address?: string; chain?: string }) {
  if (file !== undefined) return { csv: await readFile(file, 'utf8') };
  return { address, ...(chain === undefined ? {} : { chains: chain.split(',') }) };
}

function numberOf(name: string, text: string | undefined) {
  return text === undefined ? {} : { [name]: Number(text) };
}

function simulation(seed: string | undefined) {
  return seed === undefined ? {} : { simulation: numberOf('seed', seed) };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file}: expected JSON`);
  }
}

interface Refusal {
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

function refused(terminal: Terminal, body: unknown): void {
  const { title, detail, errors = [] } = (body ?? {}) as Refusal;
  terminal.err(plain(`${String(title ?? 'the service refused')}: ${String(detail ?? '')}`));
  for (const error of errors) terminal.err(plain(`  ${error.pointer}: ${error.detail}`));
}

type Judged = Omit<PolicyVerdictReply, 'rules' | 'checked_at' | 'data_mode'>;

function showVerdict(terminal: Terminal, verdict: Judged): void {
  const { band, score, trust_score: trust, rating_as_of: asOf } = verdict;
  const rating = asOf === null ? 'no rating' : `${band}, ${score ?? 'no score'}, trust ${trust}, as of ${asOf}`;
  terminal.out(`${verdict.outcome.toUpperCase()}  ${plain(verdict.asset_id ?? verdict.requested)}  ${rating}`);
  for (const { rule, outcome, detail, receipts } of verdict.fired) {
    terminal.out(`  ${outcome.padEnd(7)}  ${rule}: ${plain(detail)}`);
    for (const path of receipts.slice(0, 1)) terminal.out(`           ${plain(path)}`);
  }
  const exit = verdict.largest_exposure;
  if (exit !== null)
    terminal.out(
      `  largest exposure at ${exit.max_cost_pct} %: ${exit.size_usd} USD (${exit.method}, ${counted(exit.pools, 'pool')})`,
    );
  if (verdict.next !== null)
    terminal.out(`  ${verdict.next.detail} ${verdict.next.method} ${plain(verdict.next.path)}`);
}

function showPortfolio(terminal: Terminal, reply: PortfolioVerdictReply): void {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  for (const position of reply.positions) showVerdict(terminal, position);
  terminal.out(
    `${reply.outcome.toUpperCase()}  the whole: ${reply.value_usd} USD, ${reply.band}${reply.score === null ? '' : `, ${reply.score}`}, ${percent(reply.uncovered)} without a band`,
  );
  for (const { kind, name, loss, positions } of reply.breaks_together.slice(0, MOST_SHOWN))
    terminal.out(`  ${percent(loss).padStart(7)}  ${kind} ${plain(name)}: ${counted(positions.length, 'position')}`);
  for (const { chain, positions, complete, gaps } of reply.holdings ?? [])
    terminal.out(
      `  read on ${chain}: ${counted(positions, 'position')}, ${complete ? 'whole' : `may not be whole (${gaps.join(', ')})`}`,
    );
  const { seed, runs, mean, p99, together } = reply.simulation;
  terminal.out(
    `  simulated year (seed ${seed}, ${counted(runs, 'run')}): mean loss ${percent(mean)}, 99 % below ${percent(p99)}; two or more halved in ${percent(together)}`,
  );
}

/** Names are untrusted text, which may contain control sequences of a terminal. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
