import { afterAll, expect, test } from 'vitest';
import { parseMappings } from '../../harness/parse-mappings.ts';
import { createWebhookClient } from '../../../src/adapters/webhook-client/webhook-client.ts';
import { base64, issueAuthority, issueServing, serverPark } from './servers.ts';

const park = serverPark();
const nothing = { get: () => undefined, list: () => [] };
afterAll(park.close);

const answer = (): never => {
  throw new Error('nothing is to be sent');
};

test('a backend is reached as far as its certificate, and sent nothing', async () => {
  const ca = await issueAuthority('ca');
  const server = await park.https(await issueServing(ca, ['127.0.0.1']), answer);
  const client = createWebhookClient({ cluster: nothing });
  const url = `https://127.0.0.1:${server.port}/x`;
  expect(await client.probe({ url, caBundle: base64(ca.certificate) })).toMatchObject({
    outcome: 'reachable',
    address: `https://127.0.0.1:${server.port}`,
    certificate: { subject: 'CN=hook', names: expect.arrayContaining(['127.0.0.1']) },
  });
  const other = await issueAuthority('other');
  expect(await client.probe({ url, caBundle: base64(other.certificate) })).toMatchObject({
    outcome: 'unreachable',
    phase: 'tls',
    error: expect.stringContaining('x509'),
  });
  expect(server.seen).toEqual([]);
  await client.close();
});

test('a mapped service is reached without TLS, one that is not there is not', async () => {
  const server = await park.http(answer);
  const client = createWebhookClient({
    cluster: nothing,
    mappings: parseMappings(`a/hooks=http://127.0.0.1:${server.port}`),
  });
  expect(await client.probe({ service: { namespace: 'a', name: 'hooks' } })).toEqual({
    outcome: 'reachable',
    address: `http://127.0.0.1:${server.port}`,
  });
  expect(await client.probe({ service: { namespace: 'b', name: 'hooks' } })).toMatchObject({
    phase: 'resolve',
    error: 'service "hooks" not found',
  });
  await client.close();
});

test.each([
  [{}, 'client', 'names neither url nor service'],
  [{ url: 'https://127.0.0.1:1/', caBundle: base64('no PEM') }, 'client', 'unable to load root certificates'],
  [{ url: 'https://127.0.0.1:1/' }, 'connect', 'connection refused'],
  [{ url: 'https://absent.invalid/' }, 'resolve', 'no such host'],
])('%j cannot be reached', async (config, phase, error) => {
  const client = createWebhookClient({ cluster: nothing });
  const health = await client.probe(config);
  expect(health).toMatchObject({ outcome: 'unreachable', phase, error: expect.stringContaining(error) });
  await client.close();
});
