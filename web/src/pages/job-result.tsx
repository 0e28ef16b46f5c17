import { BandScale } from '../asset/band-scale.tsx';
import { noVfrWords, summaryWords } from '../asset/words.ts';
import { useDownload } from '../data/download.ts';
import {
  inNumber,
  minute,
  outcomeWords,
  points,
  scoreInterval,
  signed,
  sourceName,
  withSources,
  words,
} from '../format.ts';
import { Button } from '../parts/button.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Band, Severity } from '../parts/marks.tsx';
import { Folded, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { ScoreResult } from '../types.ts';

type Source = ScoreResult['sources'][number];
type Factor = ScoreResult['factors'][number];

const factorColumn = columnsOf<Factor>();
const FACTORS: readonly Column<Factor>[] = [
  columnBy('Factor', ({ name }) => name, { id: 'name' }),
  factorColumn('score', 'Of 100', points, { number: true }),
  factorColumn('points', 'Points', signed, { number: true }),
  factorColumn('confidence', 'Confidence', (confidence) => confidence.toFixed(2), { number: true }),
];
const sourceColumn = columnsOf<Source>();
const SOURCES: readonly Column<Source>[] = [
  sourceColumn('name', 'Source', sourceName),
  sourceColumn('outcome', 'Outcome', outcomeWords),
  columnBy('Values used', (row) => row.items_used, { ...NUMBER, id: 'used', value: (row) => row.items_used }),
  columnBy('Time, ms', ({ milliseconds }) => Math.round(milliseconds), {
    ...NUMBER,
    ...WIDE,
    id: 'time',
    value: ({ milliseconds }) => milliseconds,
  }),
  columnBy('Note', ({ detail }) => inNumber(detail ?? ''), WIDE),
];

const wasAsked = ({ outcome }: Source) => outcome !== 'disabled' && outcome !== 'unsupported';

/** The score and its flags. The published rating has every receipt. */
export function JobVerdict({ result }: { readonly result: ScoreResult }) {
  const { rating, trust_score: trust, vfr } = result;
  const report = useDownload('GET /v1/jobs/{id}');
  const save = (accept: string, ending: string) =>
    report.mutate({
      input: { path: { id: result.job_id }, query: { output_format: 'full' }, headers: { accept } },
      fileName: `${result.job_id}.${ending}`,
    });
  const lowest = Math.min(100, ...result.caps_applied.map(({ cap }) => cap));
  return (
    <>
      <Panel title="Rating of this moment" meta={`${minute(result.as_of)}, method ${result.methodology_version}`}>
        <div className="verdict-top">
          <Band band={rating.band} large />
          <div>
            <p className="opinion">{withSources(summaryWords(result.summary, vfr.reason))}</p>
          </div>
        </div>
        <BandScale
          score={rating.score}
          interval={rating.interval}
          before={null}
          ceiling={lowest < 100 ? lowest : null}
        />
        <dl className="verdict-figures">
          <div>
            <dt>Score of 100, 80 % interval</dt>
            <dd>
              <b>{rating.score === null ? 'not rated' : points(rating.score)}</b> {scoreInterval(rating.interval)}
            </dd>
          </div>
          <div className="set-apart">
            <dt>Trust in the evidence</dt>
            <dd>
              <b>{points(trust.score)}</b> {trust.tier}
            </dd>
          </div>
          <div>
            <dt>vfr, price over fair value</dt>
            <dd>
              <b>{vfr.value === null ? 'none' : vfr.value.toFixed(2)}</b>{' '}
              {vfr.value === null ? '' : words(vfr.zone).toLowerCase()}
              <p>{vfr.value === null ? noVfrWords(vfr.reason) : ''}</p>
            </dd>
          </div>
        </dl>
        {result.not_published_because.map(({ code, detail }) => (
          <p key={code} className="foot">
            Not published: {inNumber(detail)}
          </p>
        ))}
        {result.warnings.map((warning) => (
          <p key={warning} className="foot">
            {warning}
          </p>
        ))}
        <p className="actions">
          {result.asset.chain !== null && (
            <LinkButton to="/asset/$name" params={{ name: result.asset.id }} primary>
              Its published rating, with every receipt
            </LinkButton>
          )}
          <Button onClick={() => save('text/html', 'html')}>Report as HTML</Button>
          <Button onClick={() => save('application/json', 'json')}>Report as JSON</Button>
        </p>
        {report.error && <ProblemBox error={report.error} />}
      </Panel>
      {result.risk_flags.length > 0 && (
        <Panel title="Flags">
          <ul className="flag-list">
            {result.risk_flags.map(({ code, severity, title, detail }) => (
              <li key={code}>
                <Severity severity={severity} /> <b>{title}.</b> <span className="q">{withSources(detail)}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

/** Composition of the score: points by factor, observations by source. Collapsed, since the verdict is above. */
export function JobDetails({ result }: { readonly result: ScoreResult }) {
  const asked = result.sources.filter(wasAsked);
  const idle = result.sources.filter((source) => !wasAsked(source));
  return (
    <>
      <Folded title="Factors" sub="points and confidence of each">
        <Table name="job-factors" columns={FACTORS} rows={result.factors} keyOf={({ code }) => code} tools={false} />
      </Folded>
      <Folded
        title="Sources"
        sub={`outcome, values used and time of ${asked.length}; ${idle.length} were not requested`}
      >
        <Table name="job-sources" columns={SOURCES} rows={asked} keyOf={({ name }) => name} />
        {idle.length > 0 && <p className="foot">Not asked: {idle.map(({ name }) => sourceName(name)).join(', ')}.</p>}
      </Folded>
    </>
  );
}
