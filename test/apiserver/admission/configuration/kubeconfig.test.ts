import { expect, test } from 'vitest';
import { readWebhookKubeconfig } from '../../../../src/apiserver/admission/configuration/kubeconfig.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';

const files: Parameters<typeof readWebhookKubeconfig>[1] = {
  read: (path) =>
    path.startsWith('{') || path.startsWith('[')
      ? { ok: true, value: path }
      : { ok: false, error: path === '/gone' ? 'no such file or directory' : 'permission denied' },
  beside: (_from, path) => `/beside/${path}`,
};

/** What is read of a kubeconfig with these entries. */
const readingOf = (user: JsonObject, cluster: JsonObject = {}, more: JsonObject = {}) =>
  readWebhookKubeconfig(
    JSON.stringify({
      users: [
        { name: 'other', user: { token: 'o' } },
        { name: 'u', user },
      ],
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'x', context: { user: 'u', cluster: 'c' } }],
      'current-context': 'x',
      ...more,
    }),
    files,
  );

const noUser = {
  token: '',
  tokenFile: '',
  username: '',
  password: '',
  certificate: undefined,
  key: undefined,
  unusable: '',
};

// Source: client-go tools/clientcmd/api/v1/types.go; loader.go ResolveLocalPaths: paths are beside the file, data wins over them.
test.each<readonly [what: string, user: JsonObject, read: object]>([
  ['noUser', {}, noUser],
  ['a token', { token: 't' }, { ...noUser, token: 't' }],
  ['a file with a token', { tokenFile: 'f' }, { ...noUser, tokenFile: '/beside/f' }],
  ['a password', { username: 'n', password: 'p' }, { ...noUser, username: 'n', password: 'p' }],
  [
    'files',
    { 'client-certificate': 'c', 'client-key': 'k' },
    { ...noUser, certificate: { file: '/beside/c' }, key: { file: '/beside/k' } },
  ],
  [
    'data beside a file',
    { 'client-certificate-data': 'QQ==', 'client-certificate': 'c', 'client-key-data': 'Qg==' },
    { ...noUser, certificate: { base64: 'QQ==' }, key: { base64: 'Qg==' } },
  ],
  ['an auth provider', { 'auth-provider': {} }, { ...noUser, unusable: 'auth provider not supported' }],
  [
    'a program',
    { exec: {} },
    { ...noUser, unusable: 'kadmit does not act on the field exec of a user in a kubeconfig' },
  ],
])('a user with %s', (_what, user, currentUser) => {
  const reading = readingOf(user);
  expect(reading).toMatchObject({ ok: true, value: { currentNames: { user: 'u', cluster: 'c' } } });
  expect(reading.ok && reading.value.currentUser).toEqual(currentUser);
});

test.each<readonly [cluster: JsonObject, read: object]>([
  [{}, { server: '', authority: undefined, insecure: false, serverName: '' }],
  [
    { server: 's', 'certificate-authority': 'a', 'insecure-skip-tls-verify': true, 'tls-server-name': 'n' },
    { server: 's', authority: { file: '/beside/a' }, insecure: true, serverName: 'n' },
  ],
  [
    { 'certificate-authority-data': 'QQ==', 'insecure-skip-tls-verify': false },
    { server: '', authority: { base64: 'QQ==' }, insecure: false, serverName: '' },
  ],
])('a cluster %j', (cluster, currentCluster) => {
  const reading = readingOf({}, cluster);
  expect(reading.ok && reading.value.currentCluster).toEqual(currentCluster);
});

test('without a context there is no user', () => {
  expect(readingOf({}, {}, { 'current-context': 'y' })).toMatchObject({
    ok: true,
    value: { currentUser: undefined, currentCluster: undefined, currentNames: { user: '', cluster: '' } },
  });
});

// Source: client-go tools/clientcmd/loader.go LoadFromFile, client_config.go.
test.each([
  ['/gone', 'stat /gone: no such file or directory'],
  ['/closed', 'error loading config file "/closed": open /closed: permission denied'],
])('%s cannot be read', (path, error) => {
  expect(readWebhookKubeconfig(path, files)).toEqual({ ok: false, error });
});

test('a file that is no YAML cannot be read, one that is no map says nothing', () => {
  expect(readWebhookKubeconfig('{"a', files)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^error loading config file "\{\\"a": \S/),
  });
  expect(readWebhookKubeconfig('[]', files)).toMatchObject({ ok: true, value: { currentUser: undefined } });
});
