import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { Result } from '../domain/index.ts';
import { CLASSES } from '../domain/index.ts';
import type { FeatureDefinition, MethodologyContent } from './schema.ts';
import { methodologySchema } from './schema.ts';
import { thresholdComplaints } from './thresholds.ts';

const validator = Compile(methodologySchema);

/** A file of the methodology with its type, or its errors. */
export function checked(file: unknown): Result<MethodologyContent, { readonly complaints: readonly string[] }> {
  const found = complaints(file);
  return found.length === 0 && validator.Check(file) ? { ok: true, value: file } : { ok: false, complaints: found };
}

/** Errors in a methodology file: its shape, and rules that a schema cannot express (sums, references, order). */
export function complaints(file: unknown): readonly string[] {
  return validator.Check(file) ? incoherences(file) : validator.Errors(file).flatMap(shapeComplaint);
}

/** Location and description of each error. A property that is not allowed is reported at its object. */
function shapeComplaint(error: TLocalizedValidationError): readonly string[] {
  if (error.keyword === 'boolean') return [];
  const names = error.keyword === 'additionalProperties' ? `: ${error.params.additionalProperties.join(', ')}` : '';
  return [`${error.instancePath || '/'}: ${error.message}${names}`];
}

function incoherences(file: MethodologyContent): readonly string[] {
  const found: string[] = [...thresholdComplaints(file.flags, file.caps)];
  for (const [quantity, name] of Object.entries(file.consensus.classOf))
    if (!(name in file.consensus.classes)) found.push(`quantity ${quantity} has no class`);
  found.push(...classComplaints(file));
  const preTgeWeights = file.preTge.factors.reduce((total, factor) => total + factor.weight, 0);
  if (Math.abs(preTgeWeights - 100) > 1e-9) found.push(`weights before the token sum to ${preTgeWeights}, not 100`);
  for (const { code } of file.preTge.factors) {
    const inside = file.preTge.features
      .filter((feature) => feature.factor === code)
      .reduce((total, feature) => total + feature.weight, 0);
    if (Math.abs(inside - 1) > 1e-9) found.push(`feature weights of ${code} sum to ${inside}, not 1`);
  }
  for (const feature of [...file.features, ...file.preTge.features]) {
    const ascending = feature.anchors.every(
      (anchor, index) => index === 0 || (feature.anchors[index - 1]?.[0] ?? 0) < anchor[0],
    );
    if (!ascending) found.push(`anchors of ${feature.id} are not in ascending order`);
    if ((feature.scale === 'state') !== Object.keys(feature.states).length > 0)
      found.push(`${feature.id} mixes states and anchors`);
    found.push(...missingValueComplaints(feature));
  }
  for (const flag of file.flags)
    if ((flag.raisedBy === null) === (flag.notRaisedBecause === null))
      found.push(`flag ${flag.code} must say either how it is raised or why it is not`);
  const flags = new Set(file.flags.map((flag) => flag.code));
  for (const cap of [...file.caps, ...file.preTge.caps])
    if (cap.flag !== null && !flags.has(cap.flag)) found.push(`cap ${cap.code} names the unknown flag ${cap.flag}`);
  return found;
}

/** Tables of weights must sum up, contain only features of their factor, and exist where a class names them. */
function classComplaints({
  classes,
  classRules,
  weightTables,
  featureTables,
  features,
}: MethodologyContent): readonly string[] {
  const found: string[] = [];
  const sumOf = (table: Readonly<Record<string, number>>) =>
    Object.values(table).reduce((sum, weight) => sum + weight, 0);
  for (const [name, table] of Object.entries(weightTables))
    if (Math.abs(sumOf(table) - 100) > 1e-9) found.push(`weights of ${name} sum to ${sumOf(table)}, not 100`);
  for (const [name, table] of Object.entries(featureTables))
    if (Math.abs(sumOf(table) - 1) > 1e-9) found.push(`feature weights of ${name} sum to ${sumOf(table)}, not 1`);
  const factorOf = new Map(features.map(({ id, factor }) => [id, factor]));
  for (const name of CLASSES) {
    const { weights, features: tables, withIssuer, asCreditVault = {} } = classes[name];
    if (!Object.hasOwn(weightTables, weights)) found.push(`weights ${weights} of ${name} are not there`);
    for (const [factor, table] of [
      ...Object.entries(tables),
      ...Object.entries(withIssuer),
      ...Object.entries(asCreditVault),
    ])
      if (Object.keys(featureTables[table] ?? { '': 0 }).some((id) => factorOf.get(id) !== factor))
        found.push(`${table} of ${name} is no table of ${factor}`);
    if (!classRules.ceiling.includes(name)) found.push(`the order of ceilings leaves out ${name}`);
  }
  const named = new Set(Object.values(featureTables).flatMap((table) => Object.keys(table)));
  return [...found, ...features.filter(({ id }) => !named.has(id)).map(({ id }) => `no table weighs ${id}`)];
}

/** A missing statement of the rated party must never be worth more than the worst value it could hide. */
function missingValueComplaints({ id, anchors, states, silence, zero }: FeatureDefinition): readonly string[] {
  if (silence.kind === 'P' ? silence.points === null : silence.kind === 'N' && silence.points !== null)
    return [`${id}: what the rated party can silence has points of its own for silence, what nobody can has none`];
  const shown = [...anchors.map(([, points]) => points), ...Object.values(states), ...(zero === null ? [] : [zero])];
  return silence.points !== null && silence.points > Math.min(...shown)
    ? [`silence of ${id} is worth more than the worst that can be shown`]
    : [];
}
