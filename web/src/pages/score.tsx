import { type FormEvent, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import { useRead } from '../use-read.ts';

const EXAMPLES = {
  sandbox: [
    {
      project: 'Tidewell',
      project_url: 'https://tidewell.example/',
      token_symbol: 'TIDE',
      why: 'healthy',
      stage: 'posttge',
    },
    {
      project: 'Hivecoin',
      project_url: 'https://hivecoin.example/',
      token_symbol: 'HIVC',
      why: 'a scam',
      stage: 'posttge',
    },
    {
      project: 'Greyharbor',
      project_url: 'https://greyharbor.example/',
      token_symbol: '',
      why: 'no token yet',
      stage: 'pretge',
    },
    {
      project: 'Nowhere Protocol',
      project_url: 'https://nowhere-protocol.example/',
      token_symbol: '',
      why: 'nobody knows it',
      stage: 'posttge',
    },
  ],
  live: [
    {
      project: 'Uniswap',
      project_url: 'https://uniswap.org/',
      token_symbol: 'UNI',
      why: 'a large exchange',
      stage: 'posttge',
    },
    { project: 'Jupiter', project_url: 'https://jup.ag/', token_symbol: 'JUP', why: 'on Solana', stage: 'posttge' },
  ],
};
const FIELDS = [
  { name: 'project', label: 'Project name', required: true, maxLength: 200, hint: 'As it calls itself' },
  {
    name: 'project_url',
    label: 'Website',
    required: true,
    maxLength: 2048,
    hint: 'https://…, the proof that ties name and token',
  },
  { name: 'token_symbol', label: 'Token symbol', required: false, maxLength: 32, hint: 'If you know it' },
  {
    name: 'token_address',
    label: 'Token address',
    required: false,
    maxLength: 128,
    hint: 'Mint or contract, if you know it',
  },
  { name: 'category', label: 'Category', required: false, maxLength: 100, hint: 'Such as DeFi, stablecoin, memecoin' },
  { name: 'blockchain', label: 'Chain', required: false, maxLength: 64, hint: 'Such as solana or ethereum' },
] as const;
type Draft = Readonly<Partial<Record<(typeof FIELDS)[number]['name'], string>>>;

/** The form that starts a rating. */
export function ScorePage() {
  const health = useRead<{ readonly data_mode: 'live' | 'sandbox' }>('/healthz');
  const [draft, setDraft] = useState<Draft>({});
  const [stage, setStage] = useState('posttge');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const filled = Object.fromEntries(Object.entries(draft).filter(([, value]) => value.trim() !== ''));
    const reply = await ask<{ readonly job_id: string }>('/v1/score', {
      method: 'POST',
      json: { type: stage, ...filled },
      headers: { prefer: 'respond-async', 'idempotency-key': crypto.randomUUID?.() ?? String(Date.now()) },
    });
    setBusy(false);
    if (reply.ok) location.hash = linkTo('job', reply.value.job_id);
    else setProblem(reply.problem);
  }
  const examples = health.state === 'ready' ? EXAMPLES[health.value.data_mode] : [];
  return (
    <>
      <h1>Score a project</h1>
      <p>
        Two dozen public sources are asked now, check each other, and their answers become a rating with a receipt for
        every number.
      </p>
      <form className="card form" onSubmit={submit}>
        <fieldset className="radio">
          <legend>Stage</legend>
          <label>
            <input type="radio" name="stage" checked={stage === 'posttge'} onChange={() => setStage('posttge')} /> It
            has a token
          </label>
          <label>
            <input type="radio" name="stage" checked={stage === 'pretge'} onChange={() => setStage('pretge')} /> It has
            no token yet
          </label>
        </fieldset>
        {FIELDS.map(({ name, label, hint, ...limits }) => (
          <label key={name}>
            <span>
              {label}
              {limits.required ? '' : ' (optional)'}
            </span>
            <input
              {...limits}
              type={name === 'project_url' ? 'url' : 'text'}
              value={draft[name] ?? ''}
              placeholder={hint}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
            />
          </label>
        ))}
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Starting …' : 'Score it'}
        </button>
      </form>
      {problem && <Refused problem={problem} />}
      {examples.length > 0 && (
        <p className="actions">
          Examples:
          {examples.map(({ why, stage: of, ...example }) => (
            <button
              key={example.project}
              type="button"
              className="small"
              onClick={() => {
                setDraft(example);
                setStage(of);
              }}
            >
              {example.project} ({why})
            </button>
          ))}
        </p>
      )}
    </>
  );
}
