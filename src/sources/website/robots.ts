const MOST_LINES = 4_000;

/**
 * True when robots.txt allows the path for all agents (RFC 9309). The groups of `*` are combined; the longest matching rule
 * applies, at equal length `allow` before `disallow`; `*` and a final `$` are supported. Without rules, or for an invalid url,
 * everything is allowed.
 */
export function isAllowed(robots: string, url: string): boolean {
  const path = pathOf(url);
  if (path === null) return true;
  let best = { length: -1, allowed: true };
  for (const { allow, pattern } of rulesForAll(robots)) {
    if (!matches(pattern, path) || pattern.length < best.length) continue;
    best = { length: pattern.length, allowed: pattern.length === best.length ? best.allowed || allow : allow };
  }
  return best.allowed;
}

function rulesForAll(robots: string): readonly { readonly allow: boolean; readonly pattern: string }[] {
  const rules: { allow: boolean; pattern: string }[] = [];
  let applies = false;
  let inAgents = false;
  for (const line of robots.split(/\r\n?|\n/).slice(0, MOST_LINES)) {
    const bare = line.split('#')[0] ?? '';
    const at = bare.indexOf(':');
    if (at < 0) continue;
    const name = bare.slice(0, at).trim().toLowerCase();
    const value = bare.slice(at + 1).trim();
    if (name === 'user-agent') {
      applies = (inAgents && applies) || value === '*';
      inAgents = true;
    } else {
      inAgents = false;
      if (applies && (name === 'allow' || name === 'disallow') && value !== '' && value.length <= 500)
        rules.push({ allow: name === 'allow', pattern: value });
    }
  }
  return rules;
}

/** Glob match without a regular expression, so that a malicious pattern costs at most its length times the path's length. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const [head = '', ...parts] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(head)) return false;
  let at = head.length;
  for (const [index, part] of parts.entries()) {
    const last = anchored && index === parts.length - 1;
    const found = last ? path.length - part.length : path.indexOf(part, at);
    if (found < at || !path.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return !anchored || at === path.length;
}

function pathOf(link: string): string | null {
  const url = URL.parse(link);
  return url === null ? null : url.pathname + url.search;
}
