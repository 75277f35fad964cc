import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAnonymousAccess } from '../../../src/app/server/identities.ts';
import { readAuthenticationConfiguration } from '../../../src/app/server/read-authentication-configuration.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const unread = 'failed to load authentication configuration from file "a.yaml": ';

// Source: kube-apiserver v1.36.2 starts, or ends with these texts.
test.each<[text: string, error: string | undefined]>([
  [head, undefined],
  [head.replace('/v1', '/v1beta1'), undefined],
  ['', `${unread}empty config data`],
  ['kind: A\n', `${unread}Object 'apiVersion' is missing in 'kind: A\n'`],
  [
    head.replace('/v1', '/v3'),
    `${unread}no kind "AuthenticationConfiguration" is registered for version "apiserver.config.k8s.io/v3" in scheme "k8s.io/kubernetes/pkg/kubeapiserver/options/authentication.go:879"`,
  ],
  [
    `${head}anonymous: {enabled: true, conditions: [{path: 1}]}\n`,
    `${unread}json: cannot unmarshal number into Go struct field AnonymousAuthCondition.anonymous.conditions.path of type string`,
  ],
  [
    `${head}anonymous: {enabled: true, conditions: [{path: /x, nope: 1}]}\n`,
    `${unread}strict decoding error: unknown field "anonymous.conditions[0].nope"`,
  ],
  [
    `${head}anonymous: {enabled: false, conditions: [{path: /x}]}\n`,
    'invalid authentication configuration: anonymous.conditions: Invalid value: [{"Path":"/x"}]: enabled should be set to true when conditions are defined',
  ],
])('--authentication-config %j', (text, error) => {
  const reading = readAuthenticationConfiguration(text, 'a.yaml');
  expect(reading.ok ? undefined : reading.error).toBe(error);
});

test('paths for anonymous requests', () => {
  const text = `${head}anonymous: {enabled: true, conditions: [{path: /livez}, {path: /readyz}]}\n`;
  expect(readAuthenticationConfiguration(text, 'a.yaml')).toEqual({
    ok: true,
    value: { anonymous: { enabled: true, paths: ['/livez', '/readyz'] }, hasJwt: false },
  });
});

// Source: kubernetes pkg/kubeapiserver/options/authentication.go ApplyAuthorization; compared with kube-apiserver v1.36.2.
test.each<readonly [modes: readonly string[], anonymousAuth: boolean, allowed: boolean]>([
  [[], true, true],
  [['RBAC'], true, true],
  [['AlwaysAllow'], true, false],
  [['Node', 'AlwaysAllow'], true, false],
  [['RBAC'], false, false],
])('modes %j and --anonymous-auth=%s: anonymous requests are accepted: %s', (modes, anonymousAuth, allowed) => {
  const config = { authorizationMode: modes, anonymousAuth, authenticationConfig: '' };
  expect(readAnonymousAccess(config)).toEqual({ anonymousAuth: allowed });
});

test.each(['jwt: [{issuer: {url: "https://issuer.example"}}]', 'jwt: {}'])('a file with %s stops the start', (jwt) => {
  const path = join(temporaryFolder(), 'a.yaml');
  writeFileSync(path, `${head}${jwt}\n`);
  const config = { authorizationMode: [], anonymousAuth: true, authenticationConfig: path };
  expect(() => readAnonymousAccess(config)).toThrow(
    `--authentication-config ${path}: jwt is not supported: create users with \`kadmit user\`, --token-auth-file or impersonation`,
  );
});

test.each(['', 'jwt: []', 'jwt:'])('a file with %j has no JWT authenticators', (jwt) => {
  expect(readAuthenticationConfiguration(`${head}${jwt}\n`, 'a.yaml')).toMatchObject({ value: { hasJwt: false } });
});
