import { createNamedSchemas, type Schema } from './named-schemas.ts';

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}
interface Content {
  readonly $ref?: string;
  readonly description?: string | undefined;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly schema?: Schema }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, unknown>>;
}

/** A request as it was made to the sandbox, and the reply of the service. */
export interface Example {
  /** Body of the request, when it has one. */
  readonly request?: unknown;
  readonly status: number;
  /** JSON, or the text of the reply; left out when it has no body. */
  readonly reply?: unknown;
  /** Lists were cut to their first entries. */
  readonly shortened?: true;
}

const PROBLEM = 'application/problem+json';
const WHOLE = 'As the service answers in its sandbox.';
const SHORTENED = 'As the service answers in its sandbox; long lists are cut to their first entries.';

/**
 * The document as it is served: named schemas and problem replies appear once, under components, and operations carry their
 * examples, found by operationId.
 */
export function finishedDocument(document: Document, examples: Readonly<Record<string, Example>>): Document {
  const { replaced, schemas } = createNamedSchemas();
  const replies = new Map<string, Content>();

  function media(content: Content, example: unknown, summary: string): Content {
    if (!content.content) return content;
    const types = Object.entries(content.content).map(([type, one]) => {
      const fits =
        example !== undefined && (typeof example === 'string') !== /^application\/(json|.+\+json)$/.test(type);
      return [
        type,
        {
          ...one,
          ...(one.schema && { schema: replaced(one.schema) }),
          ...(fits && { examples: { sandbox: { summary, value: example } } }),
        },
      ];
    });
    return { ...content, content: Object.fromEntries(types) };
  }

  function response(status: string, content: Content, example: Example | undefined): Content {
    const isProblem = content.content !== undefined && PROBLEM in content.content;
    const shown = example && String(example.status) === status ? example : undefined;
    const made = media(content, shown?.reply, shown?.shortened ? SHORTENED : WHOLE);
    if (!isProblem) return made;
    const name = `Problem${status}`;
    const known = replies.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(made)) return made;
    replies.set(name, made);
    return { $ref: `#/components/responses/${name}` };
  }

  function operation(one: Operation): Operation {
    const example = examples[one.operationId ?? ''];
    return {
      ...one,
      ...(one.parameters && {
        parameters: one.parameters.map((parameter) => ({
          ...parameter,
          ...(parameter.schema && { schema: replaced(parameter.schema) }),
        })),
      }),
      // Its description is the schema's, which is there too.
      ...(one.requestBody && {
        requestBody: media({ ...one.requestBody, description: undefined }, example?.request, WHOLE),
      }),
      responses: Object.fromEntries(
        Object.entries(one.responses).map(([status, content]) => [status, response(status, content, example)]),
      ),
    };
  }

  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, operation(one)])),
    ]),
  );
  const responses = Object.fromEntries([...replies].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, components: { ...document.components, responses, schemas: schemas() } };
}
