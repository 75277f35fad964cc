import type { RandomChoices } from '../../harness/random-choices.ts';
import { mutateValue, oddTexts, corruptText } from '../../harness/hostile-value.ts';
import { amplify } from '../amplify.ts';
import { request, type RequestAct, type Serving, type Target } from '../case.ts';
import { jsonText } from '../json-text.ts';
import { signToken, signingKeyPem } from '../signing.ts';

const serviceAccounts = 'https://kubernetes.default.svc.cluster.local';
const end = 4_000_000_000;

/** Bearer tokens: of ServiceAccounts, and invalid ones. */
export const bearerTokens: Target = {
  name: 'token',
  serving,
  generate: (random) => [sendToken(random, token(random))],
};

function serving(): Serving {
  return {
    flags: ['--service-account-signing-key-file=$DIR/signing.pem', '--service-account-key-file=$DIR/signing.pem'],
    files: { 'signing.pem': signingKeyPem },
  };
}

function token(random: RandomChoices): string {
  let claims: unknown = random.pick([
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
  while (random.chance(0.55)) claims = mutateValue(random, claims);
  if (random.chance(0.15)) claims = withOddTimes(random, claims);
  if (random.chance(0.08)) claims = amplify(random, claims);
  let header: unknown = { alg: 'RS256', kid: 'fuzz', typ: 'JWT' };
  if (random.chance(0.2))
    header = { ...Object(header), alg: random.pick(['none', 'HS256', 'ES256', 'PS512', '', ...oddTexts]) };
  while (random.chance(0.2)) header = mutateValue(random, header);
  const text = signToken(textOf(random, header), textOf(random, claims));
  return random.chance(0.15) ? malformToken(random, text) : text;
}

const textOf = (random: RandomChoices, value: unknown): string => {
  const text = jsonText(value);
  return random.chance(0.1) ? corruptText(random, text) : text;
};

const withOddTimes = (random: RandomChoices, claims: unknown): unknown => ({
  ...Object(claims),
  [random.pick(['exp', 'nbf', 'iat', 'warnafter'])]: random.pick([
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

const malformToken = (random: RandomChoices, text: string): string =>
  random.pick([
    () => corruptText(random, text),
    () => '.'.repeat(random.upTo(5000)),
    () => `${text}.${text}`,
    () => text.replaceAll('.', ' '),
    () => `${text.split('.').slice(0, 2).join('.')}.`,
    () => random.pick(oddTexts),
    () => `${Buffer.from('[').toString('base64url').repeat(random.upTo(5000))}.e30.e30`,
  ])();

/** A header takes 16 KB and is read after the certificate; a TokenReview may carry as much as any body. */
function sendToken(random: RandomChoices, bearer: string): RequestAct {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: bearer } };
  if (bearer.length > 12_000 || random.chance(0.85)) {
    const spec = random.chance(0.3)
      ? { ...review.spec, audiences: mutateValue(random, ['kadmit', serviceAccounts]) }
      : review.spec;
    return request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { ...review, spec });
  }
  const headers = random.chance(0.85)
    ? {
        authorization: `${random.chance(0.95) ? 'Bearer ' : random.pick(['bearer', 'BEARER  ', 'Bearer\t', ''])}${bearer}`,
      }
    : {
        upgrade: 'websocket',
        connection: 'Upgrade',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version': '13',
        'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from(bearer).toString('base64url')}, v5.channel.k8s.io`,
      };
  const path = '/api/v1/namespaces/default/configmaps?limit=1';
  return { ...request('GET', path), headers, http2: !('upgrade' in headers) && random.chance(0.2) };
}
