import { expect, test } from 'vitest';
import { adviceForCall } from '../../../src/explain/findings/failure-advice.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';

const definition = { clientConfig: { service: { namespace: 'a', name: 'b', path: '/mutate' } } };
const failureCause = { because: 'http-status', code: 404 } as const;

// A mapping puts the path of clientConfig behind that of its URL: who wrote both sees only one of them in the manifest.
test.each([
  [
    'its own path',
    'http://127.0.0.1:8400/mutate',
    /^the webhook does not serve this path: correct the path in clientConfig$/,
  ],
  ['a URL without a path', undefined, /^the webhook does not serve this path: /],
  [
    'a mapping with a path',
    'http://127.0.0.1:8400/team/mutate',
    /does not serve \/team\/mutate, which is the URL of the mapped Service followed by the path of clientConfig, \/mutate/,
  ],
])('a webhook that knows no such path: %s', (_fact, url, advice) => {
  const call = { definition, failurePhase: 'decode', failureCause, ...(url === undefined ? {} : { url }) } as const;
  expect(adviceForCall(call)).toEqual([expect.stringMatching(advice)]);
});

// The most common first failure of a local webhook: its certificate is its own.
test.each<readonly [fact: string, clientConfig: JsonObject, advice: RegExp]>([
  [
    'a Service without a caBundle',
    { service: { namespace: 'a', name: 'b' } },
    /no caBundle.*; for a local webhook kadmit dev sets it, and kadmit serve --inject-ca trusts a mapped webhook without one$/,
  ],
  [
    'a Service with another caBundle',
    { service: { namespace: 'a', name: 'b' }, caBundle: 'QUJD' },
    /base64 PEM of that CA; for a local webhook kadmit dev sets it$/,
  ],
  ['a url', { url: 'https://a.example.com' }, /set it to the base64 PEM of the issuing CA$/],
])('an unknown CA: %s', (_fact, clientConfig, advice) => {
  const call = {
    definition: { clientConfig },
    failurePhase: 'tls',
    failureCause: { because: 'unknown-authority' },
  } as const;
  expect(adviceForCall(call)).toEqual([expect.stringMatching(advice)]);
});

// The address in the manifest is not the one that was called.
test.each([
  ['as written', 'https://a.example.com/v', /start the webhook, or correct clientConfig\.url$/],
  [
    'mapped',
    'http://127.0.0.1:8400/v',
    /or correct where https:\/\/a\.example\.com is mapped: kadmit map https:\/\/a\.example\.com=URL \(/,
  ],
])('a url where nothing listens: %s', (_fact, url, advice) => {
  const call = {
    definition: { clientConfig: { url: 'https://a.example.com/v' } },
    failurePhase: 'connect',
    failureCause: { because: 'connection-refused', address: '127.0.0.1:1' },
    url,
  } as const;
  expect(adviceForCall(call)).toEqual([expect.stringMatching(advice)]);
});

test.each([
  ['no uid', {}],
  ['another uid', { uid: 'other' }],
])('a response with %s', (_fact, response) => {
  const call = {
    definition,
    failurePhase: 'decode',
    failureCause: { because: 'uid-mismatch' },
    review: { request: { uid: 'u-1' } },
    answer: { response },
  } as const;
  expect(adviceForCall(call)).toEqual(['response.uid differs from request.uid: send u-1']);
});
