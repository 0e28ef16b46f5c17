import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { AcceptedJob, ScoreResult, StandardScore } from '../../contract/index.ts';
import { REPLIED, type RequestOutcome } from '../../domain/index.ts';
import { outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { ageOut, failureOut, flagsOut, ratedAssetOut } from '../views.ts';

const Score = Type.Pick(StandardScore, [
  'job_id',
  'published',
  'not_published_because',
  'warnings',
  'asset',
  'rating',
  'trust_score',
  'vfr',
  'failure_probability',
  'risk_flags',
  'caps_applied',
  'sources',
  'methodology_version',
  'as_of',
  'age_seconds',
  'data_mode',
]);
const Outcome = Type.Union([Score, Type.Pick(AcceptedJob, ['job_id', 'state'])]);

/** Most clients wait a minute for a tool. */
const USUAL_WAIT_SECONDS = 45;
const GRACE_MS = 10_000;
const PROGRESS_EVERY_MS = 2_000;

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

export const scoreProject = defineTool({
  name: 'score_project',
  title: 'Score a crypto project now',
  description:
    'Rates the asset of a text (`asset`), or of a project’s name and website, from two dozen public sources now (usually under a minute). The input only identifies the asset; the rating uses registries, the chain and the project’s verified site. Use get_rating first: it is quicker and cheaper when the asset has been rated.',
  readsOnly: false,
  input: Type.Object(
    {
      asset: Type.Optional(
        text(
          2048,
          'The asset as one text: an id such as eip155:1/erc20:0x…, an address, the project’s website, a ticker or a name. Enough by itself; else send project and project_url.',
        ),
      ),
      project: Type.Optional(text(200, 'Name of the project, with project_url.')),
      project_url: Type.Optional(text(2048, 'The project’s own website, http or https.')),
      stage: Type.Optional(
        Type.String({ enum: ['posttge', 'pretge'], description: 'pretge: there is no token yet. Default: posttge.' }),
      ),
      token_symbol: Type.Optional(text(32, 'Ticker.')),
      blockchain: Type.Optional(text(64, 'Chain the token is on.')),
      token_address: Type.Optional(text(128, 'Mint or contract, when it is known.')),
      category: Type.Optional(text(100, 'What kind of project it is.')),
      wait_seconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 300,
          description: `How long to wait for the result; the collected data do not depend on it. Default: ${USUAL_WAIT_SECONDS}.`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: ScoreResult,
  async run({ stage = 'posttge', wait_seconds = USUAL_WAIT_SECONDS, ...given }, { send, progress, scoringPath }) {
    const begun = performance.now();
    const tell = () => {
      const seconds = Math.round((performance.now() - begun) / 1000);
      progress(
        Math.min(seconds, wait_seconds),
        wait_seconds,
        `requesting data from sources, ${seconds} of at most ${wait_seconds} s`,
      );
    };
    tell();
    const timer = setInterval(tell, PROGRESS_EVERY_MS);
    const request = {
      method: 'POST' as const,
      path: scoringPath,
      headers: { prefer: `wait=${wait_seconds}`, 'idempotency-key': randomUUID() },
      body: { type: stage, output_format: 'standard', ...given },
      timeoutMs: wait_seconds * 1000 + GRACE_MS,
    };
    const result = await send(request, Outcome).finally(() => clearInterval(timer));
    if (!result.ok) return result;
    const reply = result.value;
    if (!('rating' in reply))
      return {
        ok: false,
        detail: `The job ${reply.job_id} is ${reply.state}. The same call again joins its collection.`,
      };
    const { rating, trust_score, vfr, sources } = reply;
    return {
      ok: true,
      value: {
        asset: ratedAssetOut(reply.asset),
        band: rating.band,
        score: rating.score,
        interval: rating.interval,
        provisional: rating.provisional,
        not_rated_reasons: rating.not_rated_reasons.slice(0, 5).map((reason) => outside(reason, 200)),
        trust: { score: trust_score.score, basis: `evidence is ${trust_score.tier}` },
        vfr: { value: vfr.value, zone: vfr.zone },
        failure_probability: failureOut(reply.failure_probability),
        ...flagsOut(reply.risk_flags),
        caps: reply.caps_applied
          .slice(0, 5)
          .map(({ code, cap, detail }) => ({ code: plainWord(code), cap, detail: outside(detail, 200) })),
        sources: {
          answered: sources.filter(({ outcome }) => REPLIED.has(outcome as RequestOutcome)).length,
          silent: sources.filter(({ outcome }) => noResult(outcome)).map(({ name }) => name),
        },
        published: reply.published,
        not_published_because: reply.not_published_because
          .slice(0, 4)
          .map(({ code, detail }) => ({ code: plainWord(code), detail: outside(detail, 200) })),
        warnings: reply.warnings.slice(0, 8).map((warning) => outside(warning, 200)),
        job_id: reply.job_id,
        methodology_version: reply.methodology_version,
        ...ageOut(reply),
      },
    };
  },
});

function noResult(outcome: string): boolean {
  return !REPLIED.has(outcome as RequestOutcome) && !['unsupported', 'disabled'].includes(outcome);
}
