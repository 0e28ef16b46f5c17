import { inUnit, minute, words } from '../format.ts';
import { DotPlot } from '../parts/dot-plot.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import type { Evidence, Quantity, Voice } from '../types.ts';

/** What each source said about one quantity, and what became of it. */
export function Voices({
  name,
  quantity,
  replies,
}: {
  readonly name: string;
  readonly quantity: Quantity;
  readonly replies: ReadonlyMap<string, Evidence['responses'][number]>;
}) {
  return (
    <div className="voices">
      <h3 className="wrap">
        {words(quantity.quantity.replace(/_(usd|pct)$/, ''))}
        {quantity.scope !== 'asset' && <span className="under"> {quantity.scope}</span>}
      </h3>
      <p className="quiet">
        Together: <strong>{shown(quantity.value, quantity.unit)}</strong>
        {quantity.low !== null && quantity.high !== null
          ? ` (${inUnit(quantity.low, quantity.unit)} to ${inUnit(quantity.high, quantity.unit)})`
          : ''}
        , {quantity.status}, confidence {quantity.confidence.toFixed(2)}
      </p>
      <DotPlot quantity={quantity} />
      <Table
        caption={`What the sources said about ${name}`}
        rows={quantity.voices}
        keyOf={({ source, evidence }, index) => `${source}${evidence}${index}`}
        columns={[
          { title: 'Source', of: ({ source }) => source },
          {
            title: 'Value',
            number: true,
            of: (voice) => (voice.withheld ? 'withheld by its terms' : shown(voice.value, quantity.unit)),
          },
          { title: 'Counted', of: (voice) => <Fate voice={voice} /> },
          { title: 'Seen', of: ({ observed_at }) => <Moment at={observed_at} /> },
          { title: 'Receipt', of: ({ evidence }) => <Receipt id={evidence} reply={replies.get(evidence)} /> },
        ]}
      />
    </div>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  same_family: 'same origin as another that counts',
  outlier: 'too far from the others',
  stale: 'too old',
};

function Fate({ voice }: { readonly voice: Voice }) {
  if (voice.accepted) return <span>● yes</span>;
  if (voice.reason === 'same_family') return <span className="quiet">○ {REASONS.same_family}</span>;
  return (
    <span className="left-out">
      ✕ {voice.reason === null ? 'no' : (REASONS[voice.reason] ?? words(voice.reason).toLowerCase())}
    </span>
  );
}

/** Which request it came from and the hash of the reply: enough to find it in the archive and to ask again. */
function Receipt({ id, reply }: { readonly id: string; readonly reply: Evidence['responses'][number] | undefined }) {
  if (!reply) return <code>{id}</code>;
  return (
    <details className="receipt">
      <summary>
        <code>{id}</code>
      </summary>
      <span className="wrap">
        {reply.url}
        <br />
        {minute(reply.fetchedAt)}, HTTP {reply.status ?? 'none'}
        <br />
        SHA-256 <code>{reply.sha256 ?? 'none'}</code>
      </span>
    </details>
  );
}

function shown(value: Voice['value'], unit: string): string {
  if (value === null) return 'not known';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' || typeof value === 'string') return inUnit(value, unit);
  return Array.isArray(value) ? `${value.length} entries` : 'a record';
}
