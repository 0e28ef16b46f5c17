import { parse } from 'tldts';
import Type from 'typebox';

/** A number that a source may write as a number, a numeric string or null. */
export const Loose = Type.Union([Type.Number(), Type.String(), Type.Null()]);
export const LooseOptional = Type.Optional(Loose);
export const Text = Type.Union([Type.String(), Type.Null()]);
export const TextOptional = Type.Optional(Text);

/** Number or numeric string to a finite number; null for everything else. */
export function num(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER || !NUMBER.test(value)) return null;
  const read = Number(value);
  return Number.isFinite(read) ? read : null;
}

/** 256 bits have 78 digits; what is much longer is no number of anybody's, and each letter of it would cost. */
const LONGEST_NUMBER = 400;
const NUMBER = /^\s*-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/** A number above zero; 0, negative and unreadable values mean "unknown" at sources that say so. */
export function positive(value: unknown): number | null {
  const read = num(value);
  return read !== null && read > 0 ? read : null;
}

/** A number of zero or more. */
export function amount(value: unknown): number | null {
  const read = num(value);
  return read !== null && read >= 0 ? read : null;
}

/** Outside text: control and direction characters out, trimmed, at most `longest` characters; null when nothing is left. */
export function text(value: unknown, longest = 120): string | null {
  if (typeof value !== 'string') return null;
  const clean = [...value.slice(0, longest * 4)]
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      return (
        code >= 0x20 &&
        !(code >= 0x7f && code <= 0x9f) &&
        !(code >= 0x200b && code <= 0x200f) &&
        !(code >= 0x202a && code <= 0x202e) &&
        !(code >= 0x2060 && code <= 0x206f) &&
        code !== 0xfeff &&
        !(code >= 0xd800 && code <= 0xdfff)
      );
    })
    .join('')
    .trim()
    .slice(0, longest);
  return clean === '' ? null : clean;
}

/** RFC 3339 from a date text or from unix time in seconds or milliseconds; null for anything implausible. */
export function date(value: unknown): string | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && /^\d{9,14}$/.test(value) ? Number(value) : null;
  const at =
    number !== null
      ? number > 1e11
        ? number
        : number * 1000
      : typeof value === 'string'
        ? Date.parse(value)
        : Number.NaN;
  if (!Number.isFinite(at) || at < Date.parse('1985-01-01T00:00:00Z') || at > Date.parse('2100-01-01T00:00:00Z'))
    return null;
  return new Date(at).toISOString();
}

/** Hosts that many projects share: such a domain identifies nobody. */
const SHARED_HOSTS = new Set([
  'github.io',
  'github.com',
  'gitbook.io',
  'medium.com',
  'linktr.ee',
  'x.com',
  'twitter.com',
  't.me',
  'telegram.me',
  'discord.gg',
  'discord.com',
  'notion.site',
  'notion.so',
  'vercel.app',
  'netlify.app',
  'pages.dev',
  'webflow.io',
  'wixsite.com',
  'wordpress.com',
  'substack.com',
  'mirror.xyz',
  'pump.fun',
  'google.com',
  'youtube.com',
  'instagram.com',
  'facebook.com',
  'reddit.com',
  'carrd.co',
  'framer.website',
  'firebaseapp.com',
  'web.app',
  'herokuapp.com',
  'fleek.co',
  'ipfs.io',
  'eth.limo',
  'solscan.io',
  'etherscan.io',
  'dexscreener.com',
  'coingecko.com',
  'coinmarketcap.com',
  'birdeye.so',
  'farcaster.xyz',
  'warpcast.com',
  'tiktok.com',
]);

/**
 * Registrable domain of a url or host, by the public suffix list; null for shared hosts (names under a private suffix such as
 * `onrender.com` among them: each belongs to somebody else) and anything unreadable.
 */
export function registrableDomain(url: unknown): string | null {
  if (typeof url !== 'string' || url.length > 2_048 || url === '') return null;
  const { domain, isPrivate } = parse(url.trim(), { allowPrivateDomains: true });
  if (domain === null || isPrivate === true || SHARED_HOSTS.has(domain)) return null;
  return domain.toLowerCase();
}

/** Distinct registrable domains of many urls, sorted. */
export function registrableDomains(urls: readonly unknown[]): readonly string[] {
  return [
    ...new Set(
      urls
        .slice(0, 50)
        .map(registrableDomain)
        .filter((domain) => domain !== null),
    ),
  ].sort();
}

/** `owner/name` of a GitHub repository url; an organisation's page gives `owner`. Null for anything else. */
export function githubRepo(url: unknown): string | null {
  if (typeof url !== 'string') return null;
  const match = /^https?:\/\/(?:www\.)?github\.com\/([A-Za-z0-9-]{1,39})(?:\/([A-Za-z0-9._-]{1,100}))?/.exec(
    url.trim(),
  );
  if (!match?.[1] || ['orgs', 'topics', 'sponsors', 'features', 'login'].includes(match[1].toLowerCase())) return null;
  return match[2] ? `${match[1]}/${match[2].replace(/\.git$/, '')}` : match[1];
}

/** Handle of a social profile: `{kind, handle}` with the handle in lower case; null when the url is none. */
export function social(url: unknown): { readonly kind: string; readonly handle: string } | null {
  if (typeof url !== 'string') return null;
  const clean = url.trim();
  for (const [kind, pattern] of SOCIALS) {
    const match = pattern.exec(clean);
    if (match?.[1]) return { kind, handle: match[1].toLowerCase().slice(0, 64) };
  }
  return null;
}

const SOCIALS: readonly (readonly [string, RegExp])[] = [
  ['x', /^https?:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/@?([A-Za-z0-9_]{1,15})(?:[/?#]|$)/i],
  ['telegram', /^https?:\/\/(?:t|telegram)\.me\/(?:s\/)?([A-Za-z0-9_+]{3,64})(?:[/?#]|$)/i],
  ['discord', /^https?:\/\/(?:www\.)?discord(?:\.gg|\.com\/invite)\/([A-Za-z0-9-]{2,64})(?:[/?#]|$)/i],
];
