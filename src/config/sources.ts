import { httpUrl, keyText, type Setting, yesNo } from './settings.ts';

/** The parts of a source that its settings depend on. */
export interface SourceNames {
  readonly name: string;
  /** Names of its base URLs; the setting of `main` has no suffix. */
  readonly bases: readonly string[];
}

export interface SourceSetting extends Setting<string | boolean | null> {
  readonly source: string;
  /** The base that the URL belongs to; null for key and enabled. */
  readonly base: string | null;
}

/** The settings of all sources: a URL per base, the key, and whether it is enabled. */
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
        // The URL of an operator's node often contains its key.
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
