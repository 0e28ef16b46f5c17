import { minute, points, signed } from '../format.ts';
import { Copy, Severity } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { RegisterSources, RegisterState } from '../parts/register-state.tsx';
import { linkTo } from '../route.ts';
import type { Breakdown, Evidence, Flag, Job, Quantity, Rating } from '../types.ts';
import { useRead } from '../use-read.ts';
import { FactorBars } from './factor-bars.tsx';

/** What a rating is made of, from the sum of points down to each source's voice. */
export function RatingParts({ rating, breakdown }: { readonly rating: Rating; readonly breakdown: Breakdown }) {
  const job = useRead<Job>(`/v1/jobs/${rating.job_id}?output_format=full`);
  const evidence = useRead<Evidence>(`/v1/jobs/${rating.job_id}/evidence`);
  const result = job.state === 'ready' ? job.value.result : null;
  const quantities = new Map<string, Quantity>();
  for (const each of result?.quantities ?? [])
    quantities.set(each.scope === 'asset' ? each.quantity : `${each.quantity}@${each.scope}`, each);
  const replies = new Map(evidence.state === 'ready' ? evidence.value.responses.map((reply) => [reply.id, reply]) : []);
  const flags: readonly Flag[] = result?.risk_flags ?? rating.risk_flags;
  const replay = `npx assay replay ${rating.job_id}`;
  return (
    <>
      <section className="card">
        <h2>In words</h2>
        <p>{breakdown.summary}</p>
        {rating.indicative_band !== rating.band && (
          <p className="quiet">
            This is said of the score of this moment, {rating.indicative_band}. The published band, {rating.band}, has a
            memory: it falls at once only when a cap strikes or the score is far below, and rises slowly.
          </p>
        )}
        {job.state === 'refused' && (
          <p className="note">
            The voices of the single sources need the scope score, which this key does not have, or are no longer kept.
          </p>
        )}
      </section>
      {rating.drivers.length > 0 && (
        <section className="card">
          <h2>What moved it</h2>
          <p className="quiet">Since the rating of {minute(rating.previous?.as_of ?? null)}.</p>
          <Table
            caption="What moved the score"
            rows={rating.drivers}
            keyOf={({ code }, index) => `${code}${index}`}
            columns={[
              { title: 'Part', of: ({ name }) => name },
              { title: 'Points', number: true, of: ({ points: moved }) => signed(moved) },
              { title: 'Why', of: ({ detail }) => detail },
            ]}
          />
        </section>
      )}
      <section className="card">
        <h2>Points, from the prior to the score</h2>
        <p className="quiet">
          Open a factor for its features, and a feature for what each source said. A filled dot counted; a cross was
          left out.
        </p>
        <FactorBars breakdown={breakdown} score={rating.score} quantities={quantities} replies={replies} />
      </section>
      <CitedRows rows={breakdown.register_rows} assetId={rating.asset.id} />
      <section className="card">
        <h2>Caps</h2>
        {breakdown.caps.length === 0 ? (
          <p className="quiet">None: nothing limits the score from above.</p>
        ) : (
          <Table
            caption="Caps on the score"
            rows={breakdown.caps}
            keyOf={({ code }) => code}
            columns={[
              { title: 'At most', number: true, of: ({ cap, band }) => `${points(cap)} (${band})` },
              { title: 'Sets the score', of: ({ binding }) => (binding ? <strong>yes</strong> : 'no') },
              { title: 'Why', of: ({ detail }) => detail },
              { title: 'Code', of: ({ code }) => <code>{code}</code> },
            ]}
          />
        )}
      </section>
      <section className="card">
        <h2>Flags</h2>
        {flags.length === 0 ? (
          <p className="quiet">None was raised.</p>
        ) : (
          <Table
            caption="Risk flags"
            rows={flags}
            keyOf={({ code }) => code}
            columns={[
              { title: 'Severity', of: ({ severity }) => <Severity severity={severity} /> },
              { title: 'Flag', of: ({ title }) => title },
              { title: 'What was seen', of: ({ detail }) => detail },
              {
                title: 'Evidence',
                of: ({ evidence: basis }) => (
                  <span className="wrap">{(basis ?? []).slice(0, 6).join(', ') || 'see the job'}</span>
                ),
              },
              { title: 'Since', of: ({ since }) => <Moment at={since ?? rating.as_of} /> },
            ]}
          />
        )}
      </section>
      <div className="halves">
        <section className="card">
          <h2>Not known ({rating.gaps.length})</h2>
          {rating.gaps.length === 0 ? (
            <p className="quiet">Every feature was answered.</p>
          ) : (
            <List items={rating.gaps.map(({ feature, reason }) => [nameOf(breakdown, feature), reason])} />
          )}
        </section>
        <section className="card">
          <h2>Conflicts ({rating.conflicts.length})</h2>
          {rating.conflicts.length === 0 ? (
            <p className="quiet">The sources do not contradict each other.</p>
          ) : (
            <List items={rating.conflicts.map(({ quantity, detail }) => [quantity, detail])} />
          )}
        </section>
      </div>
      <section className="card">
        <h2>Replay this rating</h2>
        <p>
          The evidence is kept with the hash of every reply. On the machine of the service this computes the rating
          again and compares the bytes:
        </p>
        <p className="command">
          <code>{replay}</code> <Copy text={replay} label="the replay command" />
        </p>
        <p className="quiet wrap">
          Methodology {rating.methodology_version}, evidence of {minute(rating.as_of)}, {replies.size} replies archived.
          Signed with Ed25519.
        </p>
        <p>
          Is something wrong with it?{' '}
          <a href={linkTo('disputes', '', { asset: rating.asset.id, job: rating.job_id })}>Dispute this rating</a>: a
          person reads it.
        </p>
        <details>
          <summary>Limitations</summary>
          <ul>
            {breakdown.limitations.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
        {result && (
          <details>
            <summary>Attributions</summary>
            <ul>
              {result.attributions.map(({ source, text, url }) => (
                <li key={source}>
                  {text} <span className="quiet">({url})</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
    </>
  );
}

/** The rows of kept registers behind the rating, as they were when it was made. */
function CitedRows({ rows, assetId }: { readonly rows: Breakdown['register_rows']; readonly assetId: string }) {
  return (
    <section className="card">
      <h2>Register rows</h2>
      {rows.length === 0 ? (
        <p className="quiet">
          No kept register has a row of this asset: what only a row can tell is not known, which is our gap and not the
          asset’s silence.
        </p>
      ) : (
        <Table
          caption="Rows of kept registers behind this rating"
          rows={rows}
          keyOf={({ register, id, own }) => `${register} ${id} ${own}`}
          columns={[
            {
              title: 'Row',
              of: ({ register, id, name, own }) => (
                <>
                  <a href={linkTo('registers', register, { asset: assetId })}>{name ?? id}</a>
                  <span className="under">
                    {register}
                    {own ? ' · the operator’s own' : ''}
                  </span>
                </>
              ),
            },
            { title: 'State', of: ({ state }) => <RegisterState state={state} /> },
            {
              title: 'What it decided',
              of: ({ decided }) =>
                decided.length === 0 ? (
                  <span className="quiet">nothing that counted</span>
                ) : (
                  <ul className="plain">
                    {decided.map(({ quantity, cell, state }) => (
                      <li key={`${quantity} ${cell}`}>
                        {quantity.replaceAll('_', ' ')} <RegisterState state={state} />
                      </li>
                    ))}
                  </ul>
                ),
            },
            { title: 'Sources', of: ({ sources }) => <RegisterSources sources={sources} /> },
            { title: 'Read on', of: ({ read_on: day }) => <span className="nowrap">{day ?? '–'}</span> },
            { title: 'Expires', of: ({ expires }) => <span className="nowrap">{expires ?? '–'}</span> },
          ]}
        />
      )}
    </section>
  );
}

function nameOf(breakdown: Breakdown, feature: string): string {
  return breakdown.factors.flatMap(({ features }) => features).find(({ id }) => id === feature)?.name ?? feature;
}

function List({ items }: { readonly items: readonly (readonly [string, string])[] }) {
  return (
    <ul className="plain">
      {items.map(([name, text]) => (
        <li key={name + text}>
          <strong>{name}</strong> {text}
        </li>
      ))}
    </ul>
  );
}
