import { isLiteral, judgeUrl } from './guard.ts';

/** Why a project's URL is refused before any request is made; null when it may be requested. Only web ports, no IP addresses, no private names. */
export function judgeProjectUrl(url: string): string | null {
  const judged = judgeUrl(url);
  if (!judged.ok) return judged.detail;
  return isLiteral(judged.value.hostname) ? 'expected a domain name, got an IP address' : null;
}
