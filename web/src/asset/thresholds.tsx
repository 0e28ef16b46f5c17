import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AssayProblem, read, useChange } from '../data/service.ts';
import { compact, dollars, percent, SEVERITIES, span } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Form, type Given, Select } from '../parts/form.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Severity } from '../parts/marks.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { ProblemBox, Waiting } from '../parts/problem.tsx';
import type { Operations, Threshold } from '../types.ts';

type Put = Operations['PUT /v1/{chain}/thresholds/{asset}'];
type Line = Put['body']['thresholds'][number];
type Path = Put['path'];
type Figure = Line['figure'];

const FIGURES: Readonly<Record<Figure, readonly [title: string, unit: 'USD' | '%' | 'number']>> = {
  price_usd: ['Price', 'USD'],
  volume_24h_usd: ['Volume, 24 h', 'USD'],
  market_cap_usd: ['Market cap', 'USD'],
  liquidity_usd: ['Liquidity', 'USD'],
  price_dispersion_pct: ['Price dispersion', '%'],
  pools: ['Pools', 'number'],
  pools_tvl_usd: ['Value in pools', 'USD'],
  pools_volume_24h_usd: ['Volume in pools, 24 h', 'USD'],
  depth_2_pct_down_usd: ['Depth to −2 %', 'USD'],
  holder_count: ['Holders', 'number'],
  top_1_pct: ['Largest holder', '%'],
  top_10_pct: ['Ten largest holders', '%'],
  adjusted_top_10_pct: ['Ten largest, adjusted', '%'],
};
const NAMES = Object.keys(FIGURES) as Figure[];
const CONDITIONS = [
  ['above', 'is above'],
  ['below', 'is below'],
  ['rises', 'rises by'],
  ['falls', 'falls by'],
] as const;
type Condition = (typeof CONDITIONS)[number][0];
const WINDOWS = [300, 3_600, 21_600, 86_400, 604_800].map((seconds) => [String(seconds), span(seconds)] as const);
const STATES: Readonly<Record<Threshold['state'], string>> = {
  waiting: 'no snapshot has it yet',
  armed: 'an alert is made when it is crossed',
  crossed: 'crossed; the next alert needs it to go back first',
};
/** The service's limit. */
const MOST = 10;

const isChange = (condition: Condition) => condition === 'rises' || condition === 'falls';

/** Thresholds on figures of an asset's snapshots: crossing one raises an alert. */
export function Thresholds({
  chain,
  asset,
  name,
}: {
  readonly chain: string;
  readonly asset: string;
  readonly name: string;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Thresholds</Button>
      {isOpen && (
        <Dialog side title={`Thresholds of ${name}`} onClose={() => setOpen(false)}>
          <NeedsScope scope="chain:read" to="set thresholds on figures of snapshots">
            <Lines path={{ chain: chain as Path['chain'], asset }} />
          </NeedsScope>
        </Dialog>
      )}
    </>
  );
}

function Lines({ path }: { readonly path: Path }) {
  const set = useQuery(read('GET /v1/{chain}/thresholds/{asset}', { path }));
  const put = useChange('PUT /v1/{chain}/thresholds/{asset}', ['GET /v1/{chain}/thresholds/{asset}']);
  const remove = useChange('DELETE /v1/{chain}/thresholds/{asset}', ['GET /v1/{chain}/thresholds/{asset}']);
  const code = set.error instanceof AssayProblem ? set.error.problem.code : null;
  const hasNone = code === 'no_thresholds';
  if (set.error !== null && !hasNone)
    return (
      <>
        <ProblemBox error={set.error} again={set.refetch} />
        {code === 'asset_not_indexed' && (
          <LinkButton to="/coverage" search={{ chain: path.chain, asset: path.asset }}>
            Ask for its snapshots
          </LinkButton>
        )}
      </>
    );
  if (set.data === undefined && !hasNone) return <Waiting what="Reading the thresholds" />;
  const kept = hasNone ? [] : (set.data?.thresholds ?? []);
  const note = hasNone ? null : (set.data?.note ?? null);
  const keep = (lines: readonly Line[], after?: () => void) =>
    put.mutate({ path, body: { thresholds: [...lines], note } }, after && { onSuccess: after });
  const take = (line: Threshold) => {
    const others = kept.filter((one) => one !== line);
    if (others.length > 0) keep(others.map(asGiven));
    else remove.mutate({ path });
  };
  const error = put.error ?? remove.error;
  return (
    <>
      {kept.length === 0 ? (
        <p className="q">None is set. When a snapshot crosses a line, you get an alert, and your webhooks a message.</p>
      ) : (
        <ul className="pairs" aria-label="Thresholds">
          {kept.map((line) => (
            <li key={`${line.figure} ${line.condition} ${line.value} ${line.window_seconds}`}>
              <span>
                <b>{inWords(line)}</b> <Severity severity={line.severity} />
                <span className={line.state === 'crossed' ? 'under neg' : 'under q'}>{STATES[line.state]}</span>
              </span>
              <Button aria-label={`Remove: ${inWords(line)}`} onClick={() => take(line)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error && <ProblemBox error={error} />}
      {kept.length < MOST ? (
        <NewLine
          isPending={put.isPending}
          onAdd={(line, after) => keep([...kept.filter((one) => !isSame(one, line)).map(asGiven), line], after)}
        />
      ) : (
        <p className="q">An asset has {MOST} thresholds at most: remove one to add another.</p>
      )}
    </>
  );
}

function NewLine({
  isPending,
  onAdd,
}: {
  readonly isPending: boolean;
  readonly onAdd: (line: Line, after: () => void) => void;
}) {
  const [figure, setFigure] = useState<Figure>('price_usd');
  const [condition, setCondition] = useState<Condition>('below');
  const unit = isChange(condition) ? '%' : FIGURES[figure][1];
  const onSend = ({ text, reset }: Given) =>
    onAdd(
      {
        figure,
        condition,
        value: Number(text('value')),
        hysteresis_pct: Number(text('back')),
        severity: SEVERITIES.find((one) => one === text('severity')) ?? 'medium',
        ...(isChange(condition) ? { window_seconds: Number(text('window')) } : {}),
      },
      reset,
    );
  return (
    <Form change={{ error: null, isPending }} submit="Add" onSend={onSend}>
      <Field label="Tell me when">
        <Select
          value={figure}
          options={NAMES.map((name) => [name, FIGURES[name][0]] as const)}
          onChoose={(name) => name && setFigure(name)}
        />
      </Field>
      <Field label="Condition">
        <Select value={condition} options={CONDITIONS} onChoose={(one) => one && setCondition(one)} />
      </Field>
      <Field
        label={`Value, ${unit}`}
        name="value"
        type="number"
        min={0}
        max={condition === 'falls' ? 100 : undefined}
        step="any"
        required
      />
      {isChange(condition) && (
        <Field label="Within">
          <Select name="window" defaultValue="3600" options={WINDOWS} />
        </Field>
      )}
      <Field label="Severity of the alert">
        <Select name="severity" defaultValue="medium" options={SEVERITIES.map((one) => [one, one] as const)} />
      </Field>
      <Field
        label="Can be crossed again when it went back by, % of the value"
        name="back"
        type="number"
        min={0}
        max={90}
        step="any"
        required
        defaultValue={5}
      />
    </Form>
  );
}

function asGiven({ figure, condition, value, window_seconds: window, hysteresis_pct, severity }: Threshold): Line {
  const line = { figure: figure as Figure, condition, value, hysteresis_pct, severity };
  return window === null ? line : { ...line, window_seconds: window };
}

function isSame(one: Threshold, line: Line): boolean {
  return (
    one.figure === line.figure &&
    one.condition === line.condition &&
    one.value === line.value &&
    one.window_seconds === (line.window_seconds ?? null)
  );
}

function inWords({ figure, condition, value, window_seconds: window }: Threshold): string {
  const [title, unit] = FIGURES[figure as Figure] ?? [figure, 'number'];
  const by = CONDITIONS.find(([name]) => name === condition)?.[1] ?? condition;
  const shown =
    isChange(condition) || unit === '%' ? percent(value, 1) : unit === 'USD' ? dollars(value) : compact(value);
  return `${title} ${by} ${shown}${window === null ? '' : ` within ${span(window)}`}`;
}
