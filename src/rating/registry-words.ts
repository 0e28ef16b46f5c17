import type { RatingInput } from './types.ts';

/** The words under which registries file an asset, in a stable order. */
export function registryWords(input: RatingInput): readonly string[] {
  return Object.values(input.consensus)
    .filter((row) => row.quantity === 'categories')
    .flatMap((row) => row.voices)
    .flatMap((voice) => (Array.isArray(voice.value) ? voice.value : []))
    .filter((word): word is string => typeof word === 'string')
    .sort();
}
