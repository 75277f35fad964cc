import { expect, onTestFinished, test } from 'vitest';
import { startListener } from '../../../src/adapters/http/listener.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { createTestCa } from './certificates.ts';
import { callHttp1, callHttp2 } from './https-client.ts';

/** Responds with the subject of the client certificate and the groups that were sent. */
async function proxied() {
  const [clients, proxies] = await Promise.all([createTestCa('clients'), createTestCa('proxies')]);
  const [serving, ann, front] = await Promise.all([
    clients.issue('CN=kadmit'),
    clients.issue('CN=ann'),
    proxies.issue('CN=front'),
  ]);
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    tls: { ...serving, clientCas: [clients.cert], proxyCas: [proxies.cert] },
    now: () => 0,
    release: recordedRelease,
    newUid: () => 'made-up-uid',
    logError: () => {},
    handle: async ({ certificate, proxyCertificate, sent }) => ({
      type: 'object',
      code: 200,
      body: {
        client: certificate?.commonName ?? null,
        proxy: proxyCertificate?.commonName ?? null,
        groups: [...(sent?.values('x-remote-group') ?? [])],
        named: sent?.names().includes('x-remote-group') ?? false,
      },
      warnings: [],
    }),
  });
  onTestFinished(listener.close);
  return { server: { port: listener.port, ca: clients.cert }, ann, front };
}

test.each([
  ['HTTP/1.1', callHttp1],
  ['HTTP/2', callHttp2],
])('over %s it is known which CA signed a certificate, and each header by itself', async (_name, call) => {
  const { server, ann, front } = await proxied();
  const headers = { 'x-remote-group': ['a', 'b, c'] };
  const nothing = { groups: [], named: false };
  expect((await call(server, { headers, client: front })).body).toEqual({
    client: null,
    proxy: 'front',
    groups: ['a', 'b, c'],
    named: true,
  });
  expect((await call(server, { headers, client: ann })).body).toEqual({ client: 'ann', proxy: null, ...nothing });
  expect((await call(server, { headers })).body).toEqual({ client: null, proxy: null, ...nothing });
});
