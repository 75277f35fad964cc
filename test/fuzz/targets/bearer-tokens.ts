import type { Draw } from '../../harness/draw.ts';
import { mutateValue, oddTexts, corruptText } from '../../harness/hostile-value.ts';
import { amplified } from '../amplify.ts';
import { request, type RequestAct, type Serving, type Target } from '../case.ts';
import { jsonText } from '../json-text.ts';
import { signedToken, signingKeyPem } from '../signing.ts';

const serviceAccounts = 'https://kubernetes.default.svc.cluster.local';
const end = 4_000_000_000;

/** Bearer tokens: of ServiceAccounts, and invalid ones. */
export const bearerTokens: Target = {
  name: 'token',
  serving,
  draw: (draw) => [sent(draw, token(draw))],
};

function serving(): Serving {
  return {
    flags: ['--service-account-signing-key-file=$DIR/signing.pem', '--service-account-key-file=$DIR/signing.pem'],
    files: { 'signing.pem': signingKeyPem },
  };
}

function token(draw: Draw): string {
  let claims: unknown = draw.one([
    {
      iss: serviceAccounts,
      aud: [serviceAccounts],
      sub: 'system:serviceaccount:default:default',
      exp: end,
      iat: 1,
      nbf: 1,
      jti: '1',
      'kubernetes.io': {
        namespace: 'default',
        serviceaccount: { name: 'default', uid: 'x' },
        pod: { name: 'p', uid: 'y' },
        node: { name: 'n', uid: 'z' },
        warnafter: 1,
      },
    },
    {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/service-account.name': 'default',
      'kubernetes.io/serviceaccount/service-account.uid': 'x',
      'kubernetes.io/serviceaccount/secret.name': 's',
    },
  ]);
  while (draw.chance(0.55)) claims = mutateValue(draw, claims);
  if (draw.chance(0.15)) claims = withOddTimes(draw, claims);
  if (draw.chance(0.08)) claims = amplified(draw, claims);
  let header: unknown = { alg: 'RS256', kid: 'fuzz', typ: 'JWT' };
  if (draw.chance(0.2))
    header = { ...Object(header), alg: draw.one(['none', 'HS256', 'ES256', 'PS512', '', ...oddTexts]) };
  while (draw.chance(0.2)) header = mutateValue(draw, header);
  const text = signedToken(textOf(draw, header), textOf(draw, claims));
  return draw.chance(0.15) ? shapeless(draw, text) : text;
}

const textOf = (draw: Draw, value: unknown): string => {
  const text = jsonText(value);
  return draw.chance(0.1) ? corruptText(draw, text) : text;
};

const withOddTimes = (draw: Draw, claims: unknown): unknown => ({
  ...Object(claims),
  [draw.one(['exp', 'nbf', 'iat', 'warnafter'])]: draw.one([
    1e300,
    -1e300,
    1e16,
    -1,
    0.5,
    2 ** 53,
    '1',
    null,
    true,
    [],
    8.64e12 + 1,
  ]),
});

const shapeless = (draw: Draw, text: string): string =>
  draw.one([
    () => corruptText(draw, text),
    () => '.'.repeat(draw.upTo(5000)),
    () => `${text}.${text}`,
    () => text.replaceAll('.', ' '),
    () => `${text.split('.').slice(0, 2).join('.')}.`,
    () => draw.one(oddTexts),
    () => `${Buffer.from('[').toString('base64url').repeat(draw.upTo(5000))}.e30.e30`,
  ])();

/** A header takes 16 KB and is read after the certificate; a TokenReview may carry as much as any body. */
function sent(draw: Draw, bearer: string): RequestAct {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: bearer } };
  if (bearer.length > 12_000 || draw.chance(0.85)) {
    const spec = draw.chance(0.3)
      ? { ...review.spec, audiences: mutateValue(draw, ['kadmit', serviceAccounts]) }
      : review.spec;
    return request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { ...review, spec });
  }
  const headers = draw.chance(0.85)
    ? { authorization: `${draw.chance(0.95) ? 'Bearer ' : draw.one(['bearer', 'BEARER  ', 'Bearer\t', ''])}${bearer}` }
    : {
        upgrade: 'websocket',
        connection: 'Upgrade',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version': '13',
        'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from(bearer).toString('base64url')}, v5.channel.k8s.io`,
      };
  const path = '/api/v1/namespaces/default/configmaps?limit=1';
  return { ...request('GET', path), headers, http2: !('upgrade' in headers) && draw.chance(0.2) };
}
