import { get } from 'node:http';
import { type Finding, good, skipped, watch, wrong } from './finding.ts';

/** Outcome of one request to one source. */
export interface Probe {
  readonly source: string;
  readonly outcome: string;
  readonly detail: string | null;
  /** It was read from files of this installation, and says nothing of the network. */
  readonly isLocal: boolean;
}

const ANSWERED = ['ok', 'empty', 'not_found'];
/** No request was sent: there is nothing to ask it by an address alone, it is off, or its budget is spent. */
const NOT_ASKED = ['unsupported', 'disabled', 'budget_spent', 'cancelled'];
/** The machine did not get through; anything else is an answer, if not the one that was wanted. */
const NO_WAY = ['unreachable', 'timeout', 'deadline', 'circuit_open', 'refused_address'];
const REFUSED_KEY = /\b(401|403)\b/;
const SERVICE_PATIENCE_MS = 3_000;
/** With a larger share of the asked sources out of reach no rating can be made. */
const MOST_AWAY = 0.5;
const NETWORK = [
  'look at the network of this machine: name resolution (/etc/resolv.conf; in a container, its DNS setting; the error EAI_AGAIN or ENOTFOUND names it)',
  'outgoing HTTPS (port 443) through its firewall',
  'and proxies: Assay connects directly and uses none',
].join(', ');

/** The sources that are on: which answer, which were not asked, and whose key is refused. Keys are never shown. */
export async function* checkSources(probes: AsyncIterable<Probe>, keyed: ReadonlySet<string>): AsyncIterable<Finding> {
  let answered = 0;
  const [away, notAsked, troubled]: [string[], string[], string[]] = [[], [], []];
  for await (const { source, outcome, detail, isLocal } of probes) {
    if (isLocal) continue;
    if (ANSWERED.includes(outcome)) answered += 1;
    else if (NOT_ASKED.includes(outcome)) notAsked.push(source);
    else if (outcome === 'http_error' && keyed.has(source) && REFUSED_KEY.test(detail ?? '')) {
      troubled.push(source);
      yield wrong(
        `source ${source}`,
        'it refuses the key that is set',
        `renew ASSAY_SOURCE_${source.toUpperCase()}_KEY, or take it out to ask without one`,
      );
    } else {
      (NO_WAY.includes(outcome) ? away : troubled).push(source);
      yield watch(
        `source ${source}`,
        `${outcome}${detail === null ? '' : `: ${detail}`}`,
        `ratings go on without it, with less trust; \`assay sources check\` asks again; ASSAY_SOURCE_${source.toUpperCase()}_ENABLED=false silences it`,
      );
    }
  }
  if (notAsked.length > 0)
    yield skipped('sources not asked', `${notAsked.join(', ')}: no request was sent, so nothing is known of them`);
  const asked = answered + away.length + troubled.length;
  if (asked === 0)
    yield wrong(
      'sources',
      'none is on that could be asked',
      'turn sources on: `assay sources list` says why each is off',
    );
  else if (away.length > MOST_AWAY * asked || answered === 0)
    yield wrong(
      'sources',
      `ratings cannot be made: ${answered} of ${asked} asked sources answer${away.length === 0 ? '' : `, ${away.length} are out of reach`}${proxyVariables()}`,
      NETWORK,
    );
  else yield good('sources', `${answered} of ${asked} asked sources answer`);
}

/** Which proxy variables are set, without their values: they may hold a password. */
function proxyVariables(): string {
  const set = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy'].filter(
    (name) => (process.env[name] ?? '') !== '',
  );
  return set.length === 0 ? '' : `; ${set.join(' and ')} is set and not used`;
}

/** The service at the configured address: ours, in the right data mode, ready. */
export async function checkService(host: string, port: number, dataMode: string): Promise<Finding> {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' || host === '[::]' ? '[::1]' : host;
  const url = `http://${near.includes(':') && !near.startsWith('[') ? `[${near}]` : near}:${port}`;
  const reply = await asked(`${url}/readyz`);
  if (reply === 'refused') return skipped('service', `none is running at ${url}`);
  if (reply === 'silent')
    return wrong(
      'service',
      `${url} takes connections and does not answer within ${SERVICE_PATIENCE_MS / 1000} s`,
      'look at its log; when another program has the port, choose another with ASSAY_PORT',
    );
  const { mode, status } = reply;
  if (mode === null)
    return wrong('service', `another program answers at ${url}`, 'end it, or choose another port with ASSAY_PORT');
  if (mode !== dataMode)
    return wrong(
      'service',
      `the service at ${url} runs on ${mode} data and these settings say ${dataMode}`,
      'run the doctor with the settings of the service, or give each its own port (ASSAY_PORT)',
    );
  if (status !== 200)
    return wrong(
      'service',
      `the service at ${url} is not ready (${status})`,
      'look at its log; most often the database is away',
    );
  return good('service', `ready at ${url}`);
}

/** What public sources may know about who asks. */
export function checkContact(contact: string): Finding {
  if (contact !== 'no-contact-set') return good('contact', contact);
  return watch(
    'contact',
    'sources are not told how to reach you, and some block nameless callers',
    'set ASSAY_CONTACT to a mail or web address',
  );
}

/** Not `fetch`: it refuses some ports that a service may well have. */
function asked(url: string): Promise<{ readonly mode: string | null; readonly status: number } | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: SERVICE_PATIENCE_MS, agent: false }, (response) => {
      const mode = response.headers['assay-data-mode'];
      response.destroy();
      resolve({ mode: typeof mode === 'string' ? mode : null, status: response.statusCode ?? 0 });
    });
    request.on('timeout', () => request.destroy());
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'silent'),
    );
  });
}
