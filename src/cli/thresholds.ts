import { parseArgs } from 'node:util';
import {
  FIGURE_NAMES,
  type Input,
  type Reply,
  THRESHOLD_CONDITIONS,
  type ThresholdBody,
  type ThresholdEntry,
} from '../contract/index.ts';
import { nearestName, ok, type Result } from '../domain/index.ts';
import { assetFromText } from '../indexer/index.ts';
import type { Command, Terminal } from './context.ts';
import { MANUAL } from './manual.ts';
import { plain, type Service, serviceOf, tableText } from './service.ts';

type Entry = Reply<typeof ThresholdEntry>;
type Line = Input<typeof ThresholdBody>['thresholds'][number];
interface Place {
  readonly chain: string;
  readonly id: string;
}

const USAGE = 64;
const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
const EXPECTED =
  'expected FIGURE CONDITION VALUE [in SPAN] [SEVERITY], such as "price_usd below 1" or "liquidity_usd falls 20 in 1h high"';

/** Thresholds belong to an account of a service; a data folder has none. */
export const thresholdsCommand: Command = {
  ...MANUAL.thresholds,
  async run(args, { terminal, config }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        when: { type: 'string', multiple: true, default: [] },
        hysteresis: { type: 'string' },
        note: { type: 'string' },
        add: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [action, ...texts] = positionals;
    const fits =
      action === 'list'
        ? texts.length <= 1
        : action === 'set'
          ? texts.length === 1 && values.when.length > 0
          : action === 'remove' && texts.length > 0;
    const refuse = (detail: string) => {
      terminal.err(detail);
      return USAGE;
    };
    if (!fits) return refuse(`usage:\n${MANUAL.thresholds.usage}`);
    const service = serviceOf(config, terminal);
    if (!service.ok) return refuse(service.detail);
    if (service.value === null)
      return refuse('thresholds belong to an account of a service: set ASSAY_URL and ASSAY_API_KEY to a key of it');
    if (action === 'list') return list(service.value, texts[0], values.json, terminal);
    const places = texts.map(placeOf);
    const wrong = texts[places.indexOf(null)];
    if (wrong !== undefined)
      return refuse(
        `${plain(wrong)} is not an asset: expected a CAIP-19 id or chain:address, such as solana:<mint>; assay rms list has the ids`,
      );
    const known = places.filter((place) => place !== null);
    if (action === 'remove') return remove(service.value, known, terminal);
    const [place] = known;
    const lines = linesOf(values.when, values.hysteresis);
    if (!lines.ok) return refuse(lines.detail);
    if (place === undefined) return USAGE;
    return set(service.value, place, { lines: lines.value, note: values.note, isAdded: values.add }, terminal);
  },
};

/** The value of `--when` as a threshold for the service. */
function linesOf(
  texts: readonly string[],
  hysteresis: string | undefined,
): Result<readonly Line[], { readonly detail: string }> {
  const back = hysteresis === undefined ? null : Number(hysteresis);
  if (back !== null && !(back >= 0 && back <= 90))
    return { ok: false, detail: '--hysteresis: expected percent, from 0 to 90' };
  const lines: Line[] = [];
  for (const text of texts) {
    const line = lineOf(text);
    if (!line.ok) return { ok: false, detail: `--when "${plain(text)}": ${line.detail}` };
    lines.push({ ...line.value, ...(back === null ? {} : { hysteresis_pct: back }) });
  }
  return ok(lines);
}

function lineOf(text: string): Result<Line, { readonly detail: string }> {
  const no = (detail: string) => ({ ok: false, detail }) as const;
  const [, figure = '', condition = '', number = '', span, severity] =
    /^(\S+)\s+(\S+)\s+(\S+)(?:\s+in\s+(\S+))?(?:\s+(\S+))?$/.exec(text.trim()) ?? [];
  if (number === '') return no(EXPECTED);
  const unknown = (what: string, given: string, names: readonly string[]) => {
    const near = nearestName(given, names);
    return no(
      `there is no ${what} ${given}; ${near === null ? `expected ${names.join(', ')}` : `did you mean ${near}?`}`,
    );
  };
  const named = FIGURE_NAMES.find((name) => name === figure);
  if (named === undefined) return unknown('figure', figure, FIGURE_NAMES);
  const how = THRESHOLD_CONDITIONS.find((name) => name === condition);
  if (how === undefined) return unknown('condition', condition, THRESHOLD_CONDITIONS);
  const value = Number(number.replace(/%$/, ''));
  if (!(value > 0)) return no(`${number} is not a value: expected a number above 0`);
  const [, amount, unit] = /^([0-9]+)([smhd])$/.exec(span ?? '') ?? [];
  if (span !== undefined && unit === undefined) return no(`${span} is not a span: expected such as 90s, 30m, 6h or 2d`);
  const weight = SEVERITIES.find((name) => name === severity);
  if (severity !== undefined && weight === undefined) return unknown('severity', severity, SEVERITIES);
  const seconds = unit === undefined ? null : Number(amount) * SECONDS[unit as keyof typeof SECONDS];
  if (seconds !== null && (how === 'above' || how === 'below'))
    return no(`${how} compares with no earlier time: leave out "in ${span}"`);
  return ok({
    figure: named,
    condition: how,
    value,
    ...(seconds === null ? {} : { window_seconds: seconds }),
    ...(weight === undefined ? {} : { severity: weight }),
  });
}

function placeOf(text: string): Place | null {
  const asset = assetFromText(text);
  return asset?.chain ? { chain: asset.chain, id: asset.id } : null;
}

function pathOf({ chain, id }: Place): string {
  return `/v1/${chain}/thresholds/${encodeURIComponent(id)}`;
}

async function set(
  service: Service,
  place: Place,
  {
    lines,
    note,
    isAdded,
  }: { readonly lines: readonly Line[]; readonly note: string | undefined; readonly isAdded: boolean },
  terminal: Terminal,
): Promise<number> {
  const path = pathOf(place);
  const before = isAdded || note === undefined ? await service.json({ path }) : null;
  if (before !== null && !before.ok && before.problem.code !== 'no_thresholds') {
    terminal.err(before.detail);
    return 1;
  }
  const entry = before?.ok ? (before.value.body as unknown as Entry) : null;
  const kept = isAdded ? (entry?.thresholds ?? []).map(asGiven) : [];
  // A threshold that is set again with another severity or hysteresis replaces the existing one.
  const others = kept.filter((one) => !lines.some((line) => isSameLine(one, line)));
  const body = { thresholds: [...others, ...lines], note: note ?? entry?.note ?? null };
  const put = await service.json({ method: 'PUT', path, body });
  if (!put.ok) {
    terminal.err(put.detail);
    return 1;
  }
  terminal.out(tableOf([put.value.body as unknown as Entry]));
  return 0;
}

function asGiven({ window_seconds: seconds, state: _, figure, ...rest }: Entry['thresholds'][number]): Line {
  return { ...rest, figure: figure as Line['figure'], ...(seconds === null ? {} : { window_seconds: seconds }) };
}

function isSameLine(one: Line, other: Line): boolean {
  const usual = SECONDS.h;
  return (
    one.figure === other.figure &&
    one.condition === other.condition &&
    one.value === other.value &&
    (one.window_seconds ?? usual) === (other.window_seconds ?? usual)
  );
}

async function remove(service: Service, places: readonly Place[], terminal: Terminal): Promise<number> {
  let failed = false;
  for (const place of places) {
    const done = await service.json({ method: 'DELETE', path: pathOf(place) });
    if (done.ok) terminal.out(`${place.id}  has no thresholds any more; its alerts stay`);
    else terminal.err(done.detail);
    failed ||= !done.ok;
  }
  return failed ? 1 : 0;
}

/** Lists thresholds of one chain, or of all chains in the plan of the key. */
async function list(service: Service, given: string | undefined, isJson: boolean, terminal: Terminal): Promise<number> {
  const chains = given === undefined ? await service.json({ path: '/v1/chains' }) : null;
  if (chains !== null && !chains.ok) {
    terminal.err(chains.detail);
    return 1;
  }
  const named =
    chains === null ? null : (chains.value.body as { readonly data: readonly { readonly chain: string }[] });
  const names = named === null ? [given ?? ''] : named.data.map(({ chain }) => chain);
  const entries: Entry[] = [];
  const refused: string[] = [];
  const failed: string[] = [];
  for (const name of names) {
    const read = await service.json({ path: `/v1/${encodeURIComponent(name)}/thresholds` });
    if (read.ok) entries.push(...(read.value.body as unknown as { readonly data: readonly Entry[] }).data);
    else {
      refused.push(read.detail);
      // A chain outside of the plan has none; of any other it is not known.
      if (read.problem.code !== 'plan_does_not_include') failed.push(`${name}: ${read.detail}`);
    }
  }
  const [first] = refused;
  if (first !== undefined && refused.length === names.length) {
    terminal.err(first);
    return 1;
  }
  if (isJson) for (const entry of entries) terminal.out(JSON.stringify(entry));
  else if (entries.length === 0 && failed.length === 0)
    terminal.err('no thresholds are set yet: use assay thresholds set ASSET --when "price_usd below 1"');
  else if (entries.length > 0) terminal.out(tableOf(entries));
  for (const detail of failed) terminal.err(detail);
  return failed.length === 0 ? 0 : 1;
}

function tableOf(entries: readonly Entry[]): string {
  const rows = entries.flatMap(({ asset, note, thresholds }) =>
    thresholds.map((line) => [
      line.figure,
      line.condition,
      line.condition === 'rises' || line.condition === 'falls' ? `${line.value} %` : String(line.value),
      line.window_seconds === null ? '' : spanOf(line.window_seconds),
      line.severity,
      line.state,
      asset,
      plain(note),
    ]),
  );
  return tableText(['FIGURE', 'CONDITION', 'VALUE', 'IN', 'SEVERITY', 'STATE', 'ASSET', 'NOTE'], rows);
}

function spanOf(seconds: number): string {
  const [unit, size] = (['d', 'h', 'm'] as const)
    .map((name) => [name, SECONDS[name]] as const)
    .find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}
