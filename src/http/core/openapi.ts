/** The OpenAPI 3.1 document of a list of endpoints, the same list that the router is made from. */
import type * as t from 'io-ts';
import { Fault } from '../../base/refusal.js';
import { type Schema, Schemas } from '../../codec/json-schema.js';
import { type Endpoint, problem, type ResponseShape } from './endpoint.js';
import { problem_type } from './problem.js';

type OpenApiInfo = Readonly<Record<'title' | 'version' | 'description', string>>;

interface OpenApiOptions {
  /** Shapes that are in no endpoint's body, such as those of a feed. */
  readonly extra?: readonly t.Mixed[];
  /** The shape of every refusal, named Problem. */
  readonly problem: t.Mixed;
  /** The responses that the server's policy may send before a handler runs. */
  readonly ofBoundary: (endpoint: Endpoint) => Record<number, ResponseShape>;
  /** Returns the names of the header fields that the policy adds to a response. */
  readonly headersOf: (endpoint: Endpoint, status: number) => readonly string[];
  /** Describes the token. */
  readonly token: string;
  readonly words?: DocumentWords;
}

/** What the document says beyond the shapes. */
export interface DocumentWords {
  readonly tags: Readonly<Record<string, string>>;
  /** By method and path. */
  readonly operations: Readonly<Record<string, OperationWords>>;
  /** Descriptions of parameters by their names. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface OperationWords {
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** Examples of the body of a request and of a successful response. */
  readonly request?: unknown;
  readonly response?: unknown;
}

/** The header fields of responses by their names. */
const fieldWords: Readonly<Record<string, { readonly description: string; readonly type: 'string' | 'integer' }>> = {
  'Cache-Control': { description: '`private, max-age=31536000, immutable`', type: 'string' },
  'Content-Disposition': { description: 'The name of the file', type: 'string' },
  ETag: { description: 'The hash of the outcome and the format, `-gz` where compressed', type: 'string' },
  Location: { description: 'The address of what was made', type: 'string' },
  'Preference-Applied': { description: 'The preference that was followed', type: 'string' },
  'RateLimit-Limit': { description: 'Requests that this client may send in a minute', type: 'integer' },
  'RateLimit-Remaining': { description: 'Requests that are left of them', type: 'integer' },
  'RateLimit-Reset': { description: 'Seconds until the minute ends', type: 'integer' },
  'Retry-After': { description: 'Seconds after which to ask again', type: 'integer' },
  Vary: { description: 'The fields of a request on which the response depends', type: 'string' },
  'WWW-Authenticate': {
    description: '`Bearer`; with `error="insufficient_scope"` where the role of the token is too low',
    type: 'string',
  },
  'X-Request-Id': { description: "The request's id in the server's log", type: 'string' },
};

type Manner = Omit<OpenApiOptions, 'extra'> & { readonly schemas: Schemas; readonly fields: Set<string> };

/** Returns the document with an indent of two spaces and a line feed at the end. */
export function openApiText(endpoints: readonly Endpoint[], info: OpenApiInfo, options: OpenApiOptions): string {
  const schemas = new Schemas();
  const fields = new Set<string>();
  const manner = { ...options, schemas, fields };
  schemas.of(manner.problem);
  for (const codec of options.extra ?? []) schemas.of(codec);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, manner);
  const securitySchemes = { token: { type: 'http', scheme: 'bearer', description: manner.token } };
  const { tags = {} } = options.words ?? {};
  const components = {
    schemas: schemas.components,
    headers: Object.fromEntries([...fields].toSorted().map(described)),
    securitySchemes,
  };
  const tagged = Object.entries(tags).map(([name, description]) => ({ name, description }));
  const document = {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    ...(tagged.length === 0 ? {} : { tags: tagged }),
    paths,
    components,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function operation(endpoint: Endpoint, manner: Manner): Schema {
  const { schemas, words } = manner;
  const parameters = [
    ...parametersOf('path', endpoint.params, manner),
    ...parametersOf('query', endpoint.query, manner),
    ...parametersOf('header', endpoint.headers, manner),
  ];
  const said = words?.operations[`${endpoint.method} ${endpoint.path}`];
  if (words !== undefined && said === undefined) throw new Fault(`${endpoint.method} ${endpoint.path} is not described`);
  const body = endpoint.body === undefined ? {} : { requestBody: requestBody(endpoint, endpoint.body, schemas, said?.request) };
  return {
    operationId: said?.id ?? operationId(endpoint),
    ...(said === undefined ? {} : { tags: [said.tag] }),
    summary: endpoint.summary,
    ...(said === undefined ? {} : { description: said.description }),
    'x-role': endpoint.auth,
    ...(endpoint.agent === undefined ? {} : { 'x-agent': endpoint.agent }),
    security: endpoint.auth === 'public' ? [] : [{ token: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...body,
    responses: responsesOf(endpoint, manner),
  };
}

/** Returns the operation's id, such as `getMissions` or `postMissionsIdReview`. */
const operationId = ({ method, path }: Endpoint): string =>
  path
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && word !== 'api')
    .reduce((name, word) => `${name}${word.slice(0, 1).toUpperCase()}${word.slice(1)}`, method.toLowerCase());

const parametersOf = (place: string, shape: Endpoint['params'], { schemas, words }: Manner): Schema[] =>
  Object.entries(shape?.fields ?? {}).map(([name, { codec, kind }]) => ({
    name,
    in: place,
    ...(words?.parameters[name] === undefined ? {} : { description: words.parameters[name] }),
    required: kind === 'required',
    schema: schemas.of(codec),
  }));

function requestBody({ bodyRule }: Endpoint, body: NonNullable<Endpoint['body']>, schemas: Schemas, example: unknown): Schema {
  const content = { 'application/json': { schema: schemas.of(body), ...(example === undefined ? {} : { example }) } };
  return { required: bodyRule !== 'optional', content };
}

function responsesOf(endpoint: Endpoint, manner: Manner): Schema {
  const announced = Object.entries({ ...manner.ofBoundary(endpoint), ...endpoint.responses });
  const byStatus = announced.toSorted(([a], [b]) => Number(a) - Number(b));
  const example = manner.words?.operations[`${endpoint.method} ${endpoint.path}`]?.response;
  const responses = byStatus.map(([status, shape]) => {
    const fields = [...(shape.headers ?? []), ...manner.headersOf(endpoint, Number(status))];
    return [status, response(shape, manner, headersOf(fields, manner), Number(status) < 300 ? example : undefined)] as const;
  });
  return { ...Object.fromEntries(responses), default: response(problem('Any other error'), manner) };
}

/** Returns the header fields of a response, each described under its name in the document. */
function headersOf(names: readonly string[], { fields }: Manner): Schema {
  if (names.length === 0) return {};
  for (const name of names) fields.add(name);
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

function described(name: string): readonly [string, Schema] {
  const words = fieldWords[name];
  if (words === undefined) throw new Fault(`the header field ${name} is not described`);
  return [name, { description: words.description, schema: { type: words.type } }];
}

function response(
  { description, body, type }: ResponseShape,
  { schemas, problem }: Manner,
  headers: Schema = {},
  example?: unknown,
): Schema {
  const shown = example === undefined ? {} : { example };
  if (body !== undefined)
    return { description, ...headers, content: { 'application/json': { schema: schemas.of(body), ...shown } } };
  if (type === undefined) return { description, ...headers };
  const schema = type === problem_type ? schemas.of(problem) : type.startsWith('text/') ? { type: 'string' } : {};
  return { description, ...headers, content: { [type]: { schema, ...shown } } };
}

/** The description of input that does not fit: an unknown query member is refused even by an endpoint that reads none. */
export const misfit = 'A part that does not fit its shape; errors names it';
export const unwanted = 'A part that is not accepted; errors names it';
