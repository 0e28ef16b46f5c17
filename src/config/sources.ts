import { httpUrl, keyText, type Setting, yesNo } from './settings.ts';

/** What config must know about a source. */
export interface SourceNames {
  readonly name: string;
  /** Names of its base urls; `main` is the one without a suffix. */
  readonly bases: readonly string[];
}

export interface SourceSetting extends Setting<string | boolean | null> {
  readonly source: string;
  /** Base the url is of; null for key and enabled. */
  readonly base: string | null;
}

/** The settings of all sources: url per base, key, on or off. */
export function sourceSettings(sources: readonly SourceNames[]): readonly SourceSetting[] {
  return sources.flatMap(({ name, bases }) => {
    const prefix = `ASSAY_SOURCE_${name.toUpperCase()}`;
    const shared = { source: name, base: null, fallback: null };
    return [
      ...bases.map((base) => ({
        ...shared,
        base,
        field: 'url',
        name: base === 'main' ? `${prefix}_URL` : `${prefix}_${base.toUpperCase()}_URL`,
        description: base === 'main' ? `Base url of ${name}.` : `Base url of ${name}, ${base}.`,
        kind: httpUrl,
        // An own node's url often holds its key.
        sensitive: true,
      })),
      {
        ...shared,
        field: 'key',
        name: `${prefix}_KEY`,
        description: `Key of ${name}.`,
        kind: keyText,
        sensitive: true,
      },
      {
        ...shared,
        field: 'enabled',
        name: `${prefix}_ENABLED`,
        description: `Turns ${name} on or off, whatever its default.`,
        kind: yesNo,
        sensitive: false,
      },
    ];
  });
}
