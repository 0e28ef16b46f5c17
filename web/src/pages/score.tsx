import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Input } from '../../../client/src/operation.ts';
import { ASSET_COLUMNS, rowOf } from '../assets/columns.tsx';
import { useScopes } from '../data/account.ts';
import { AssayProblem, read, service } from '../data/service.ts';
import { many } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Candidates, candidatesOf } from '../parts/candidates.tsx';
import { Choices } from '../parts/choices.tsx';
import { Field, Form } from '../parts/form.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';

type Body = Input<'POST /v1/score'>['body'];

const FIELDS = [
  { name: 'project', label: 'Project name', maxLength: 200, placeholder: 'As it calls itself' },
  { name: 'project_url', label: 'Website', maxLength: 2048, placeholder: 'https://…, ties name and token' },
  { name: 'token_symbol', label: 'Token symbol', maxLength: 32, placeholder: 'If you know it' },
  { name: 'token_address', label: 'Token address', maxLength: 128, placeholder: 'Mint or contract, if you know it' },
  { name: 'blockchain', label: 'Chain', maxLength: 64, placeholder: 'Such as solana or ethereum' },
  { name: 'category', label: 'Category', maxLength: 100, placeholder: 'Such as DeFi, stablecoin, memecoin' },
] as const;
type Name = 'asset' | (typeof FIELDS)[number]['name'];
type Draft = Readonly<Partial<Record<Name, string>>>;

/** Fictional ones of the sandbox, real ones elsewhere. */
const EXAMPLES: Readonly<
  Record<'sandbox' | 'live', readonly { name: string; why: string; draft: Draft; pre?: true }[]>
> = {
  sandbox: [
    { name: 'Tidewell', why: 'healthy', draft: { asset: 'Tidewell' } },
    { name: 'Hivecoin', why: 'a scam', draft: { asset: 'hivecoin.example' } },
    {
      name: 'Greyharbor',
      why: 'no token yet',
      draft: { project: 'Greyharbor', project_url: 'https://greyharbor.example/' },
      pre: true,
    },
    {
      name: 'Nowhere Protocol',
      why: 'nobody knows it',
      draft: { project: 'Nowhere Protocol', project_url: 'https://nowhere-protocol.example/' },
    },
  ],
  live: [
    { name: 'Uniswap', why: 'by its site', draft: { asset: 'uniswap.org' } },
    { name: 'JUP', why: 'by its symbol', draft: { asset: 'JUP' } },
  ],
};
const route = getRouteApi('/score');

/** One field is sufficient; an ambiguous request returns its candidates. */
export function Page() {
  const { asset = '' } = route.useSearch();
  const health = useQuery(read('GET /healthz'));
  const navigate = useNavigate();
  const [draft, setDraft] = useState<Draft>({ asset });
  const [hasToken, setHasToken] = useState(true);
  const [isOpen, setOpen] = useState(false);
  const start = useMutation({
    mutationFn: begin,
    onSuccess: (id) => navigate({ to: '/job/$id', params: { id } }),
  });
  const type = hasToken ? 'posttge' : 'pretge';
  const put = (name: Name, value: string) => setDraft((before) => ({ ...before, [name]: value }));
  const submit = () => {
    const given = Object.entries(draft).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : []));
    const { asset: one, ...project } = Object.fromEntries(given) as Draft;
    const word = one ? { asset: one, ...(project.blockchain ? { blockchain: project.blockchain } : {}) } : project;
    start.mutate({ type, ...word } as Body);
  };
  const needsProject = !draft.asset?.trim();
  return (
    <>
      <PageHead
        title="Score a project"
        sub="Two dozen public sources are requested now and checked against each other."
      >
        <LinkButton to="/bulk">Many at once</LinkButton>
      </PageHead>
      <NeedsScope scope="score" to="have projects rated">
        <div className="grid halves">
          <Panel title="Which one?">
            <Form
              change={{ error: null, isPending: start.isPending }}
              submit={start.isPending ? 'Starting …' : 'Score it'}
              onSend={submit}
            >
              <label className="lead">
                <span>Address, ticker, site or name</span>
                <input
                  name="asset"
                  maxLength={300}
                  required={!isOpen}
                  value={draft.asset ?? ''}
                  placeholder="0x1f98…, UNI, uniswap.org or Uniswap"
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => put('asset', event.target.value)}
                />
              </label>
              <Choices
                legend={<span className="vh">Stage</span>}
                type="radio"
                name="stage"
                words={['token', 'none']}
                say={(stage) => (stage === 'token' ? 'It has a token' : 'It has no token yet')}
                isOn={(stage) => hasToken === (stage === 'token')}
                onTick={(stage) => setHasToken(stage === 'token')}
              />
              <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
                <summary>More: by project and website, or on one chain</summary>
                <div className="form two">
                  {FIELDS.map(({ name, ...field }) => (
                    <Field
                      key={name}
                      {...field}
                      name={name}
                      type={name === 'project_url' ? 'url' : 'text'}
                      required={isOpen && needsProject && (name === 'project' || name === 'project_url')}
                      value={draft[name] ?? ''}
                      onChange={(event) => put(name, event.target.value)}
                    />
                  ))}
                </div>
              </details>
            </Form>
            <div className="actions below">
              <span className="q">Examples:</span>
              {EXAMPLES[health.data?.data_mode ?? 'live'].map((example) => (
                <Button
                  key={example.name}
                  onClick={() => {
                    setDraft(example.draft);
                    setHasToken(example.pre !== true);
                    setOpen(example.draft.project !== undefined);
                  }}
                >
                  {example.name} ({example.why})
                </Button>
              ))}
            </div>
          </Panel>
          {start.error ? (
            <Refused error={start.error} onPick={(id) => start.mutate({ type, asset: id })} />
          ) : (
            <RatedLast />
          )}
        </div>
      </NeedsScope>
    </>
  );
}

const NEWEST = { query: { sort: '-as_of', limit: 10 } } as const;
const LAST_COLUMNS = ASSET_COLUMNS.filter(({ id }) => ['symbol', 'class', 'band', 'score', 'as_of'].includes(id)).map(
  ({ value, ...column }) => column,
);

/** The newest ratings, as the page Assets shows them; a key that may not read them has none. */
function RatedLast() {
  const newest = useQuery({ ...read('GET /v1/rms', NEWEST), enabled: useScopes()('rms:read') === true });
  const rows = newest.data?.data.map(rowOf) ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel title="Rated last" meta={<Link to="/assets">all</Link>}>
      <Table name="Rated last" tools={false} columns={LAST_COLUMNS} rows={rows} keyOf={({ asset }) => asset.id} />
    </Panel>
  );
}

/** A refusal; where the request matches several assets, or names are similar, each can be chosen. */
function Refused({ error, onPick }: { readonly error: Error; readonly onPick: (id: string) => void }) {
  const problem = error instanceof AssayProblem ? error.problem : null;
  const candidates = problem === null ? [] : candidatesOf(problem);
  if (problem === null || candidates.length === 0) return <ProblemBox error={error} />;
  return (
    <Panel title="Which one was meant?">
      <p role="alert">
        {problem.code === 'ambiguous_project'
          ? `The words mean ${many(candidates.length, 'asset')}.`
          : 'No asset has this name. These have a similar one.'}
      </p>
      <Candidates candidates={candidates} onPick={onPick} />
    </Panel>
  );
}

/** How long the form waits for an immediate result: that the request is ambiguous. */
const PREFER = 'respond-async, wait=2';

/** Starts a job and returns its id. A job that failed at once has one too: its page lists the attempts. */
async function begin(body: Body): Promise<string> {
  const idempotencyKey = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  try {
    const reply = await service().call('POST /v1/score', { body, idempotencyKey, headers: { prefer: PREFER } });
    return reply.job_id;
  } catch (error) {
    if (!(error instanceof AssayProblem) || candidatesOf(error.problem).length > 0) throw error;
    const { job_id: id } = error.problem;
    if (typeof id === 'string') return id;
    throw error;
  }
}
