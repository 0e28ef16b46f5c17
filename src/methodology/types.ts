import type { Static } from 'typebox';
import type { methodologySchema } from './schema.ts';

/** `Value`, and nothing in it can be written to. */
export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;

/** A file of the methodology; its fields are described where they are checked (`schema.ts`). */
export type MethodologyContent = Frozen<Static<typeof methodologySchema>>;
export interface Methodology extends MethodologyContent {
  /** SHA-256 of the canonical JSON of the file, hex. Filled by the loader. */
  readonly hash: string;
}

export type QuantityClass = Methodology['consensus']['classes'][string];
export type FeatureDefinition = Methodology['features'][number];
export type FlagDefinition = Methodology['flags'][number];
export type CapDefinition = Methodology['caps'][number];
export type PublicationRules = Methodology['publication'];
export type FloorRules = PublicationRules['floor'];
export type CriticalQuantity = FloorRules['critical'][number];
export type VfrRounds = Methodology['vfr']['rounds'];
export type MethodologyChange = Methodology['changes'][number];
