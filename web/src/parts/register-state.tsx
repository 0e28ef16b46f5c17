/** States of rows and cells of registers: the word carries the meaning, the mark only helps. */
const STATES: Readonly<Record<string, { readonly sign: string; readonly look: string; readonly text: string }>> = {
  confirmed: { sign: '✓', look: 'info', text: 'every cell proven, reviewed by two' },
  proven: { sign: '✓', look: 'info', text: 'a source that was read states it' },
  unconfirmed: { sign: '◆', look: 'medium', text: 'no source that was read proves all of it, or nobody reviewed it' },
  expired: { sign: '▲', look: 'high', text: 'it has to be checked again' },
};

export function RegisterState({ state }: { readonly state: string }) {
  const { sign, look, text } = STATES[state] ?? { sign: '●', look: 'medium', text: '' };
  return (
    <span className={`severity ${look}`} title={text}>
      <span aria-hidden="true">{sign}</span> {state}
    </span>
  );
}

interface Source {
  readonly url: string;
  readonly licence: string | null;
  readonly read_on: string | null;
}

/** The source of a row: a link if the source has an address, else its text. */
export function RegisterSources({ sources }: { readonly sources: readonly Source[] }) {
  return (
    <ul className="links">
      {sources.map(({ url, licence, read_on: readOn }) => {
        const [address = '', ...words] = url.split(' ');
        // The commit that was read is in the link; in the text it would hide the file.
        const shown = address.replace(/^https:\/\//, '').replace(/[0-9a-f]{40}/, (hash) => `${hash.slice(0, 7)}…`);
        const isAddress = /^https:\/\/[^\s]+$/.test(address);
        return (
          <li key={url}>
            {isAddress ? (
              <>
                <a href={address} rel="noreferrer noopener" target="_blank">
                  {shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}
                </a>{' '}
                {words.join(' ')}
              </>
            ) : (
              url
            )}{' '}
            <span className="q">
              {licence ?? ''}, <span className="nowrap">{readOn === null ? 'not read' : `read ${readOn}`}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
