import type { RandomChoices } from '../../harness/random-choices.ts';
import { junk, oddTexts } from '../../harness/hostile-value.ts';
import { request, type Target } from '../case.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** kadmit's own endpoints, and headers of any request. */
export const ownApi: Target = {
  name: 'own',
  before: () =>
    Array.from({ length: 300 }, (_none, index) =>
      request('POST', `${configMaps}?dryRun=All`, { metadata: { name: `m${index}` }, data: { k: 'x'.repeat(5000) } }),
    ),
  generate: (random) => {
    const sent = random.pick([
      () =>
        request(
          'GET',
          `/kadmit/v1/traces?limit=${limit(random)}&before=${limit(random)}&full=${random.pick(['true', 'false', ''])}`,
        ),
      () => request('GET', `/kadmit/v1/traces/${escaped(random.pick(['last', ...oddTexts]))}`),
      () =>
        request(
          'POST',
          '/kadmit/v1/breaks',
          random.pick([
            { off: random.pick(oddTexts) },
            { on: 'unknown.example.com' },
            junk(random, 3),
            { on: 1, off: 2 },
          ]),
        ),
      () => request('POST', `/kadmit/v1/breaks/held/${escaped(random.pick(oddTexts))}`, junk(random, 3)),
      () => request(random.pick(['GET', 'PUT', 'DELETE']), '/kadmit/v1/breaks'),
      () => request('GET', random.pick(documents)),
      () =>
        request(random.pick(['GET', 'POST']), configMaps, random.chance(0.5) ? { metadata: { name: 'a' } } : undefined),
    ])();
    return [{ ...sent, headers: { ...sent.headers, ...headers(random) }, http2: random.chance(0.3) }];
  },
};

/** Half a surrogate pair cannot be escaped. */
const escaped = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, ''));

const documents = [
  '/api',
  '/apis',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/metrics',
  '/version',
  '/readyz?verbose',
  '/livez',
  '/apis/apps',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
  '/openapi/v3/apis/apps/v1?hash=x',
] as const;

const limit = (random: RandomChoices): string =>
  random.pick(['', '0', '1', '10000', '-1', '1e9', '99999999999999999999', 'x']);

function headers(random: RandomChoices): Readonly<Record<string, string>> {
  const made: Record<string, string> = {};
  while (random.chance(0.5)) made[random.pick(names)] = random.pick(values);
  return made;
}

const names = [
  'accept',
  'authorization',
  'impersonate-user',
  'impersonate-group',
  'impersonate-uid',
  'impersonate-extra-a%2fb',
  'impersonate-extra-__proto__',
  'if-none-match',
  'audit-id',
  'traceparent',
  'accept-encoding',
  'user-agent',
  'x-http-method-override',
  'content-type',
] as const;

const values = [
  'application/json',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;'.repeat(2000),
  'a/b;q=1e999,*/*;q=-1',
  ',,,,;;;;====',
  '"'.repeat(5000),
  'Bearer a.b.c',
  `Bearer ${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"iss":1,"sub":{}}').toString('base64url')}.AAAA`,
  'Basic YTpi',
  'system:serviceaccount:default:default',
  'system:masters',
  'é',
  'x'.repeat(20_000),
  '*',
  'W/"x"',
] as const;
