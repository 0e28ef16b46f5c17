import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { saveFile } from '../data/save-file.ts';
import { AssayProblem, useChange } from '../data/service.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { PageHead } from '../parts/panel.tsx';
import { ProblemBox, Waiting } from '../parts/problem.tsx';
import { type Body, bodyOf, PortfolioForm, type Private } from './form.tsx';
import type { Portfolio } from './in-words.ts';
import { Positions } from './positions.tsx';
import { BreaksTogether, NotKnown, PortfolioSummary, SimulatedYear } from './whole.tsx';

const route = getRouteApi('/portfolio');
const NOTHING: Private = { csv: '', address: '' };

/** Positions checked against rules: each one, the portfolio, and joint failures. */
export function Page() {
  const search = route.useSearch();
  const [given, setGiven] = useState(NOTHING);
  const [sent, setSent] = useState<Body | null>(null);
  const check = useChange('POST /v1/policy/portfolio');
  const body = bodyOf(search, given);
  const send = (what: Body) => {
    setSent(what);
    check.mutate({ body: what });
  };
  return (
    <>
      <PageHead
        title="Portfolio"
        sub="Checks whether all of this may be held. Nothing that is sent changes a rating."
      />
      <NeedsScope scope="rms:read" to="have a portfolio judged">
        <div className="portfolio">
          <PortfolioForm given={given} onChange={setGiven} onSend={() => send(body)} isPending={check.isPending} />
          <div className="grid">
            {check.isPending && <Waiting what="Judging each position and simulating the year" />}
            {check.error && (
              <ProblemBox error={check.error} {...(sent && mayPass(check.error) ? { again: () => send(sent) } : {})} />
            )}
            {check.data && (
              <OutcomePanel portfolio={check.data} isOlder={JSON.stringify(sent) !== JSON.stringify(body)} />
            )}
            {check.isIdle && (
              <p className="empty">
                Give positions, or an address, and choose whose rules hold. The answer says block, caution or allow for
                each position and for the whole, and why.
              </p>
            )}
          </div>
        </div>
      </NeedsScope>
    </>
  );
}

/** The same request may succeed later: the service is busy or unreachable, or a chain's node does not reply. */
function mayPass(error: Error): boolean {
  return !(error instanceof AssayProblem) || error.status === 429 || error.status >= 500;
}

function OutcomePanel({ portfolio, isOlder }: { readonly portfolio: Portfolio; readonly isOlder: boolean }) {
  const save = () => saveFile(`${JSON.stringify(portfolio, null, 1)}\n`, 'portfolio.json', 'application/json');
  return (
    <>
      <p className="actions">
        <span role="status">
          The answer is <b>{portfolio.outcome}</b>, of <Moment at={portfolio.checked_at} />.
          {isOlder && ' The form has changed since: check again.'}
        </span>
        <Button onClick={save}>Save the whole answer (JSON)</Button>
      </p>
      <PortfolioSummary portfolio={portfolio} />
      <Positions portfolio={portfolio} />
      <BreaksTogether portfolio={portfolio} />
      <div className="grid halves">
        <SimulatedYear portfolio={portfolio} />
        <div className="grid">
          <NotKnown portfolio={portfolio} />
        </div>
      </div>
    </>
  );
}
