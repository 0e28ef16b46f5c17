import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { describedHere } from '../../contract/vocabulary.ts';
import { createNamedSchemas, type Schema } from './openapi.ts';

const Band = Type.Union([Type.Literal('AAA'), Type.Literal('D')], { title: 'Band', description: 'Rating band.' });
const asSchema = (schema: unknown) => JSON.parse(JSON.stringify(schema)) as Schema;

test('a schema with a name is defined once, and places that describe it further keep their descriptions', () => {
  const { replaced, schemas } = createNamedSchemas();
  const made = replaced(
    asSchema(
      Type.Object({
        band: Band,
        before: describedHere(Band, 'Of the rating before.'),
        all: Type.Array(Band),
        best: Type.Union([Band, Type.Null()], { description: 'Null without any.' }),
      }),
    ),
  );
  const band = { $ref: '#/components/schemas/Band' };
  assert.deepEqual(made.properties, {
    band,
    before: { ...band, description: 'Of the rating before.' },
    all: { type: 'array', items: band },
    best: { anyOf: [band, { type: 'null' }], description: 'Null without any.' },
  });
  assert.deepEqual(schemas(), {
    Band: { title: 'Band', description: 'Rating band.', type: 'string', enum: ['AAA', 'D'] },
  });
});

test('two different schemas of one name are an error, and a title of several words is not a name', () => {
  const { replaced, schemas } = createNamedSchemas();
  replaced(asSchema(Band));
  replaced(asSchema(Type.String({ title: 'Words for people' })));
  assert.deepEqual(Object.keys(schemas()), ['Band']);
  assert.throws(() => replaced(asSchema(Type.String({ title: 'Band' }))), /two schemas have the name Band/);
});

test('a named schema with members of any name is the same one in a reply and in a webhook', () => {
  const { replaced, schemas } = createNamedSchemas();
  const counts = Type.Object(
    { by_band: Type.Record(Type.String(), Type.Integer(), { description: 'By band.' }) },
    { title: 'Counts', description: 'Of a day.' },
  );
  const inReply = asSchema(counts);
  const { patternProperties, ...rest } = inReply.properties?.by_band ?? {};
  const [one] = Object.values(patternProperties ?? {});
  assert.ok(one, 'Type.Record makes patternProperties');
  replaced({ ...inReply, properties: { by_band: { ...rest, additionalProperties: one } } });
  replaced(asSchema(counts));
  assert.deepEqual(schemas().Counts?.properties, {
    by_band: { type: 'object', description: 'By band.', additionalProperties: { type: 'integer' } },
  });
});

test('nullable values are a list of types, and tuples are described as in JSON Schema 2020-12', () => {
  const { replaced } = createNamedSchemas();
  const text = asSchema(Type.Union([Type.String({ maxLength: 9 }), Type.Null()], { description: 'A note.' }));
  assert.deepEqual(replaced(text), { type: ['string', 'null'], maxLength: 9, description: 'A note.' });
  const range = asSchema(replaced(asSchema(Type.Tuple([Type.Number(), Type.Number()]))));
  assert.deepEqual([range.prefixItems, range.items], [[{ type: 'number' }, { type: 'number' }], false]);
});
