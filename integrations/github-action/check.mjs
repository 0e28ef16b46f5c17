// Holds the positions of a pull request against a policy. It needs nothing but Node 20: what an action installs is one more thing
// that somebody has to trust.
import { appendFileSync, readFileSync } from 'node:fs';

const DEADLINE_MS = 60_000;
const OUTCOMES = ['allow', 'caution', 'block'];

/** An input as GitHub hands it over. */
function input(name, usual) {
  const value = (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim() || usual;
  if (value === undefined) throw new Error(`the input ${name} is missing`);
  return value;
}

/** Appends to a file that GitHub names; outside of GitHub there is none. */
function append(variable, text) {
  const file = process.env[variable];
  if (file) appendFileSync(file, `${text}\n`);
}

/** Text for a command of the runner: a line end or a percent sign would begin another. */
const escaped = (text) => String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
/** Text for a table of Markdown, which names from outside must not leave. */
const cell = (text) =>
  String(text)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replaceAll(/[\\`*_[\]<>|~#!$@&]/g, (mark) => `&#${mark.codePointAt(0)};`);

async function ask(url, key, body) {
  const response = await fetch(`${url.replace(/\/+$/, '')}/v1/policy/portfolio`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
    // The key goes to this address and to no other.
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const reply = await response.json().catch(() => null);
  if (response.status !== 200) {
    const errors = (reply?.errors ?? []).map(({ pointer, detail }) => `${pointer}: ${detail}`);
    throw new Error([`${response.status} ${reply?.detail ?? 'without a reason'}`, ...errors].join('; '));
  }
  const known = OUTCOMES.includes(reply?.outcome) && Array.isArray(reply.positions);
  if (!known || reply.positions.some(({ outcome }) => !OUTCOMES.includes(outcome)))
    throw new Error('the reply is not that of POST /v1/policy/portfolio');
  return reply;
}

function summary(reply, failOn) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const rows = reply.positions.map(
    (one) =>
      `| ${cell(one.requested)} | ${one.outcome} | ${cell(one.band)} | ${percent(one.share)} | ${one.fired.map(({ detail }) => cell(detail)).join('<br>')} |`,
  );
  const together = reply.breaks_together
    .slice(0, 5)
    .map(({ kind, name, loss, positions }) => `- ${cell(kind)} ${cell(name)}: ${percent(loss)} of the value, ${positions.length} positions`);
  return [
    `## Policy: ${reply.outcome} (fails on ${failOn})`,
    '',
    `${reply.value_usd} USD, ${cell(reply.band)} as a whole, ${percent(reply.uncovered)} without a band.${reply.data_mode === 'sandbox' ? ' **Sandbox: fictional assets.**' : ''}`,
    '',
    '| asset | answer | band | share | what fired |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    ...(together.length > 0 ? ['What breaks together:', '', ...together] : []),
  ].join('\n');
}

async function main() {
  const failOn = input('fail-on', 'block');
  if (!['block', 'caution'].includes(failOn)) throw new Error(`fail-on: expected block or caution, got ${failOn}`);
  const file = input('positions');
  const rules = input('rules', '');
  const body = {
    csv: readFileSync(file, 'utf8'),
    preset: input('preset', 'treasury'),
    ...(rules === '' ? {} : { rules: JSON.parse(readFileSync(rules, 'utf8')) }),
  };
  const reply = await ask(input('url'), input('api-key'), body);
  // The whole is no better than its positions, whatever the reply says of it.
  const worst = Math.max(...[reply, ...reply.positions].map(({ outcome }) => OUTCOMES.indexOf(outcome)));
  const isFailed = worst >= OUTCOMES.indexOf(failOn);
  for (const { requested, fired } of reply.positions)
    for (const { outcome, rule, detail } of fired) {
      const level = OUTCOMES.indexOf(outcome) >= OUTCOMES.indexOf(failOn) ? 'error' : 'warning';
      console.log(`::${level} file=${escaped(file).replaceAll(/[:,]/g, (mark) => (mark === ':' ? '%3A' : '%2C'))}::${escaped(`${requested}: ${rule}: ${detail}`)}`);
    }
  append('GITHUB_STEP_SUMMARY', summary(reply, failOn));
  append('GITHUB_OUTPUT', `outcome=${OUTCOMES[worst]}`);
  console.log(`policy: ${OUTCOMES[worst]}`);
  process.exitCode = isFailed ? 1 : 0;
}

main().catch((error) => {
  append('GITHUB_OUTPUT', 'outcome=error');
  console.log(`::error::${escaped(`no answer, so the check fails: ${error instanceof Error ? error.message : error}`)}`);
  process.exitCode = 1;
});
