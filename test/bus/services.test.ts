/** Health and reflection of the message bus, as tools such as grpcurl call them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  credentials,
  loadPackageDefinition,
  Metadata,
  status,
  type ServiceClientConstructor,
  type GrpcObject,
} from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { protoPath as healthProto } from 'grpc-health-check';
import { wrapFrame } from '../../src/codec/bus.js';
import { busForEach, greeting, isServiceError, metadataOf, type GivenBus } from '../support/bus/given-bus.js';

const reflection = createRequire(import.meta.url).resolve('@grpc/reflection');
const reflectionProto = join(dirname(reflection), '../proto/grpc/reflection/v1/reflection.proto');
const token = 'a-token-of-this-very-bus';
type Loose = Readonly<Record<string, unknown>>;

/** A client of a service, as code that was generated from its definition. */
function clientOf(definition: PackageDefinition, name: string, { host, port }: GivenBus) {
  const made = name.split('.').reduce<unknown>((at, part) => (at as GrpcObject)[part], loadPackageDefinition(definition));
  return new (made as ServiceClientConstructor)(`${host}:${port}`, credentials.createInsecure());
}

const bearer = (value: string): Metadata => metadataOf({ authorization: `Bearer ${value}` });

/** Calls a unary method. */
const call = (client: ReturnType<typeof clientOf>, method: string, request: Loose, metadata = new Metadata()): Promise<Loose> =>
  new Promise((resolve, reject) => {
    client[method]!(request, metadata, (error: Error | null, value: Loose) => (error === null ? resolve(value) : reject(error)));
  });

/** Asks the reflection service one question. */
async function reflect(bus: GivenBus, request: Loose, metadata = new Metadata()): Promise<Loose> {
  const client = clientOf(loadSync(reflectionProto, { keepCase: true }), 'grpc.reflection.v1.ServerReflection', bus);
  try {
    const stream = client['ServerReflectionInfo']!(metadata);
    stream.write(request);
    const [answer] = (await once(stream, 'data')) as [Loose];
    stream.end();
    return answer;
  } finally {
    client.close();
  }
}

const codeOf = (made: Promise<unknown>): Promise<string> =>
  made.then(
    () => 'OK',
    (error: unknown) => (isServiceError(error) ? (status[error.code] ?? '') : String(error)),
  );

describe('health and reflection of the message bus', () => {
  const buses = busForEach();

  it('list the services and describe Send well enough to call it', async () => {
    const bus = await buses.start();
    const listed = (await reflect(bus, { list_services: '' }))['list_services_response'] as { service: { name: string }[] };
    assert.deepEqual(listed.service.map(({ name }) => name).toSorted(), ['bus.Bus', 'grpc.health.v1.Health']);
    const found = (await reflect(bus, { file_containing_symbol: 'bus.Bus' }))['file_descriptor_response'] as {
      file_descriptor_proto: Buffer[];
    };
    const set = Buffer.concat(found.file_descriptor_proto.map((file) => wrapFrame(file)));
    const client = clientOf(loadFileDescriptorSetFromBuffer(set), 'bus.Bus', bus);
    const send = async (text: string): Promise<string> =>
      String((await call(client, 'Send', { body: Buffer.from(text) }))['body']);
    assert.equal(await send(greeting), greeting);
    assert.equal(await send('{"sender":"a","recipient":"b","ts":1,"payload":{}}'), 'ok');
    client.close();
    assert.equal(bus.recorded().length, 1);
  });

  it('need no handshake, but the token where there is one, and the third wrong one ends the connection', async () => {
    const bus = await buses.start({ token });
    const client = clientOf(loadSync(healthProto, { enums: String }), 'grpc.health.v1.Health', bus);
    assert.deepEqual(await call(client, 'Check', { service: 'bus.Bus' }, bearer(token)), { status: 'SERVING' });
    assert.equal(await codeOf(call(client, 'Check', { service: 'other' }, bearer(token))), 'NOT_FOUND');
    assert.equal(await codeOf(call(client, 'Check', {})), 'UNAUTHENTICATED');
    assert.equal(await codeOf(call(client, 'Check', {}, bearer(`${token}x`))), 'UNAUTHENTICATED');
    assert.equal(await codeOf(call(client, 'Check', {}, bearer('x'))), 'PERMISSION_DENIED');
    client.close();
    await assert.rejects(reflect(bus, { list_services: '' }), { code: status.UNAUTHENTICATED });
    assert.ok('list_services_response' in (await reflect(bus, { list_services: '' }, bearer(token))));
    assert.equal(bus.figures.messages().unauthorized, 4);
  });
});
