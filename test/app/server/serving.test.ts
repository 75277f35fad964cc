import { expect, test } from 'vitest';
import { readUpstreamOptions } from '../../../src/adapters/config/upstream/options.ts';
import { readListenerTuning } from '../../../src/app/server/listen.ts';
import { responseHeaders } from '../../../src/adapters/http/create-app.ts';
import { bareConfig } from '../../harness/start-kadmit.ts';

const served = (...flags: readonly string[]) => {
  const given = new Map(flags.map((flag) => [flag.slice(2, flag.indexOf('=')), [flag.slice(flag.indexOf('=') + 1)]]));
  return readListenerTuning({ ...bareConfig, upstream: readUpstreamOptions(given) });
};

// Source: kube-apiserver v1.36.2, started with these flags.
test.each([
  ['--tls-min-version=VersionTLS14', 'unknown tls version \\"VersionTLS14\\"'],
  ['--tls-cipher-suites=FOO', "Cipher suite FOO not supported or doesn't exist"],
  ['--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA,BAR', "Cipher suite BAR not supported or doesn't exist"],
  [
    '--tls-sni-cert-key=/no/a.crt,/no/a.key',
    'failed to load SNI cert and key: open /no/a.crt: no such file or directory',
  ],
  [
    '--cors-allowed-origins=example.com',
    '--cors-allowed-origins has an invalid regular expression: regular expression does not pin to start/end of host in the origin header, help: ',
  ],
  [
    '--cors-allowed-origins=(',
    '--cors-allowed-origins has an invalid regular expression: error parsing regexp: missing closing ): `(`, help: ',
  ],
])('%s', async (flag, error) => {
  const ended = await served(flag).then(
    () => '',
    (thrown: unknown) => String(thrown),
  );
  expect(ended).toContain(`"command failed" err="${error}`);
});

test('TLS settings of the flags', async () => {
  expect(await served('--tls-min-version=VersionTLS13', '--disable-http2-serving=true')).toMatchObject({
    minVersion: 'TLSv1.3',
    isHttp2: false,
    maxStreams: 0,
  });
  const { ciphers } = await served('--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384');
  expect(ciphers).toMatch(/:ECDHE-RSA-AES256-GCM-SHA384$/);
});

// Source: apiserver pkg/server/filters/cors_test.go and hsts_test.go.
test.each([
  [{ method: 'GET', headers: {} }, false, undefined],
  [{ method: 'GET', headers: { origin: 'https://a.example.com' } }, false, 'https://a.example.com'],
  [{ method: 'OPTIONS', headers: { origin: 'https://a.example.com' } }, true, 'https://a.example.com'],
  [{ method: 'OPTIONS', headers: { origin: 'https://a.example.com.evil' } }, false, undefined],
])('%j is refused with a message', async (request, isPreflight, origin) => {
  const { responses } = await served(
    String.raw`--cors-allowed-origins=//[^/]*\.example\.com$`,
    '--strict-transport-security-directives=max-age=31536000,preload',
  );
  const said = responseHeaders(request, responses);
  expect(said.isPreflight).toBe(isPreflight);
  expect(Object.fromEntries(said.headers)).toMatchObject({ 'strict-transport-security': 'max-age=31536000; preload' });
  expect(new Map(said.headers).get('access-control-allow-origin')).toBe(origin);
});
