/** The OpenAPI 3.1 document of a list of endpoints: the same list that the router is made from. */
import type * as t from 'io-ts';
import type { Schema } from '../../codec/tool-schema.js';
import type { Endpoint } from './endpoint.js';
import type { ResponseShape } from './reply.js';
import { Schemas } from './openapi-schema.js';
import { problem_type } from './problem.js';

interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

interface OpenApiOptions {
  /** Shapes that are in no endpoint's body, such as those of a feed. */
  readonly extra?: readonly t.Mixed[];
  /** The shape of every refusal, named Problem. */
  readonly problem: t.Mixed;
  /** The responses that the server's policy may send before a handler runs. */
  readonly ofBoundary: (one: Endpoint) => Record<number, ResponseShape>;
  /** Describes the token. */
  readonly token: string;
  /** Whether tokens have roles; each endpoint's is in `x-role`. */
  readonly roles: boolean;
}

type Manner = Omit<OpenApiOptions, 'extra'> & { readonly schemas: Schemas };

/** Returns the response of a refusal, for an endpoint's `responses`. */
export const problem = (description: string): ProblemShape => ({ description, type: problem_type });

interface ProblemShape extends ResponseShape {
  readonly type: typeof problem_type;
}

/** Returns the document with an indent of two spaces and a line feed at the end. */
export function openApiText(endpoints: readonly Endpoint[], info: OpenApiInfo, options: OpenApiOptions): string {
  const schemas = new Schemas();
  const manner = { ...options, schemas };
  schemas.of(manner.problem);
  for (const codec of options.extra ?? []) schemas.of(codec);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of endpoints) (paths[one.path] ??= {})[one.method.toLowerCase()] = operation(one, manner);
  const securitySchemes = { token: { type: 'http', scheme: 'bearer', description: manner.token } };
  const components = { schemas: schemas.components, securitySchemes };
  return `${JSON.stringify({ openapi: '3.1.0', info, servers: [{ url: '/' }], paths, components }, null, 2)}\n`;
}

function operation(one: Endpoint, manner: Manner): Schema {
  const { schemas, roles } = manner;
  const parameters = [
    ...parametersOf('path', one.params, schemas),
    ...parametersOf('query', one.query, schemas),
    ...parametersOf('header', one.headers, schemas),
  ];
  const body = one.body === undefined ? {} : { requestBody: requestBody(one, one.body, schemas) };
  return {
    operationId: operationId(one),
    summary: one.summary,
    ...(roles ? { 'x-role': one.auth } : {}),
    security: one.auth === 'public' ? [] : [{ token: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...body,
    responses: responsesOf(one, manner),
  };
}

/** Returns the operation's id, such as `getMissions` or `postMissionsIdReview`. */
const operationId = ({ method, path }: Endpoint): string =>
  path
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && word !== 'api')
    .reduce((name, word) => `${name}${word.slice(0, 1).toUpperCase()}${word.slice(1)}`, method.toLowerCase());

const parametersOf = (place: string, shape: Endpoint['params'], schemas: Schemas): Schema[] =>
  Object.entries(shape?.fields ?? {}).map(([name, { codec, kind }]) => ({
    name,
    in: place,
    required: kind === 'required',
    schema: schemas.of(codec),
  }));

function requestBody({ bodyRule }: Endpoint, body: NonNullable<Endpoint['body']>, schemas: Schemas): Schema {
  const content = { 'application/json': { schema: schemas.of(body) } };
  return { required: bodyRule !== 'optional', content };
}

function responsesOf(one: Endpoint, manner: Manner): Schema {
  const announced = Object.entries({ ...manner.ofBoundary(one), ...one.responses });
  const byStatus = announced.toSorted(([a], [b]) => Number(a) - Number(b));
  const responses = byStatus.map(([status, shape]) => [status, response(shape, manner)] as const);
  return { ...Object.fromEntries(responses), default: response(problem('Any other error'), manner) };
}

function response({ description, body, type }: ResponseShape, { schemas, problem }: Manner): Schema {
  if (body !== undefined) return { description, content: { 'application/json': { schema: schemas.of(body) } } };
  if (type === undefined) return { description };
  return { description, content: { [type]: { schema: type === problem_type ? schemas.of(problem) : {} } } };
}

/** The description of input that does not fit: an unknown query member is refused even by an endpoint that reads none. */
export const misfit = 'A part that does not fit its shape; errors names it';
export const unwanted = 'A part that is not accepted; errors names it';
