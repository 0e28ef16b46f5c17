import { type Logger, pino } from 'pino';
import type { Config } from '../config/index.ts';

/**
 * The service's logger: JSON lines on standard output. Secrets are removed from each complete line, wherever they
 * occur: in a header, a nested object, an error message or a URL. `write` replaces standard output.
 */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'databaseUrl' | 'readUrls' | 'sources'>,
  write: (line: string) => void = toStandardOutput(),
): Logger {
  const known = secretsOf(config);
  return pino(
    { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => write(scrub(line, known)) },
  );
}

const CUT = '[cut]';
/** Shorter values are not removed, since they would also match ordinary words. */
const SHORTEST_SECRET = 6;

// Repetitions before a fixed word are bounded, because these expressions run on every line and lines contain outside
// text.
const SECRET_FIELD =
  /"([^"\\]{0,40}(?:authorization|api[-_]?key|apikey|cookie|password|passwd|secret|token|database_?url)[^"\\]{0,40})":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi;
const OWN_KEY = /\bak_[a-z]+_[A-Za-z0-9_-]+/g;
const USERINFO = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s"'/?#@]{0,500}@/gi;
const QUERY_KEY = /([?&](?:[a-z_-]{0,40}key|[a-z_-]{0,40}token|[a-z_-]{0,40}secret|password)=)[^&\s"'#\\]+/gi;
const CREDENTIALS = /\b(bearer|basic) +[A-Za-z0-9._~+/=-]{6,}/gi;

function scrub(line: string, known: readonly string[]): string {
  const patterned = line
    .replace(SECRET_FIELD, `"$1":"${CUT}"`)
    .replace(OWN_KEY, `ak_${CUT}`)
    .replace(USERINFO, `$1${CUT}@`)
    .replace(QUERY_KEY, `$1${CUT}`)
    .replace(CREDENTIALS, `$1 ${CUT}`);
  const cut = known.reduce((text, secret) => text.replaceAll(secret, CUT), patterned);
  return cut.replace(STEERING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Characters that JSON does not escape and terminals interpret: C1 controls, bidirectional and invisible characters,
 * other line ends.
 */
const STEERING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Configured secrets as they appear in a JSON line. */
function secretsOf({
  databaseUrl,
  readUrls,
  sources,
}: Pick<Config, 'databaseUrl' | 'readUrls' | 'sources'>): readonly string[] {
  const keys = Object.values(sources).map(({ key }) => key ?? '');
  const urls = databaseUrl === null ? readUrls : [databaseUrl, ...readUrls];
  const passwords = urls.map((url) => (URL.canParse(url) ? new URL(url).password : ''));
  return [...keys, ...passwords, ...urls]
    .flatMap((secret) => [secret, encodeURIComponent(secret), safeDecode(secret)])
    .filter((secret, index, all) => secret.length >= SHORTEST_SECRET && all.indexOf(secret) === index)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .sort((a, b) => b.length - a.length);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toStandardOutput(): (line: string) => void {
  const stream = pino.destination({ dest: 1, sync: true });
  return (line) => void stream.write(line);
}
