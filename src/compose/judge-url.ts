import { isLiteral, judgeUrl } from '../upstream/index.ts';

/** Why a project's url is refused before anybody is asked; null when it may be tried. Only web ports, no addresses, no private names. */
export function judgeProjectUrl(url: string): string | null {
  const judged = judgeUrl(url);
  if (!judged.ok) return judged.detail;
  return isLiteral(judged.value.hostname) ? 'expected a domain name, got an IP address' : null;
}
