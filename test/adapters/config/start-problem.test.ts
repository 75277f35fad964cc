import { expect, test } from 'vitest';
import { startProblem, checkAuthorization } from '../../../src/adapters/config/start-problem.ts';
import { serveFlags } from '../../../src/adapters/config/flags/serve/serve-options.ts';
import { parseFlags } from '../../../src/adapters/config/flags/flags.ts';
import { commandFailed } from '../../../src/adapters/config/config-error.ts';

const parsed = parseFlags(serveFlags, []);
const config = parsed.outcome === 'parsed' ? parsed.options : undefined;

test.each([
  ['EEXIST', 'cannot use /x: it is not a folder'],
  ['ENOTDIR', 'cannot use /x: a part of the path is not a folder'],
  ['ENOSPC', 'cannot use /x: the disk is full'],
  ['EDQUOT', 'cannot use /x: the disk quota is used up'],
  ['ELOOP', 'cannot use /x: it links to itself'],
  ['EMFILE', 'cannot use /x: too many files are open; raise the limit, ulimit -n 4096'],
])('%s is one line', (code, line) => {
  if (!config) throw new Error('no configuration');
  expect(startProblem(Object.assign(new Error(code), { code, path: '/x' }), config)).toBe(line);
});

test.each([
  ['linux', 'may not listen on 127.0.0.1:6443; choose a --secure-port from 1024 up'],
  ['win32', 'may not listen on 127.0.0.1:6443; Windows reserves the port: choose another --secure-port'],
] as const)('a port that %s does not give', (platform, line) => {
  if (!config) throw new Error('no configuration');
  const error = Object.assign(new Error('EACCES'), { code: 'EACCES' });
  expect(startProblem(error, config, platform)).toBe(line);
});

test.each([
  ['.kadmit', 'cannot use .kadmit: permission denied; name another place with --cert-dir and --write-kubeconfig'],
  ['.kadmit/ca.key', 'cannot use .kadmit/ca.key: permission denied; name another place with --cert-dir'],
  [
    '.kadmit/kubeconfig',
    'cannot use .kadmit/kubeconfig: permission denied; name another place with --cert-dir and --write-kubeconfig',
  ],
  ['/data/objects', 'cannot use /data/objects: permission denied; name another place with --data-dir'],
  ['/proc/kadmit', 'cannot use /proc/kadmit: permission denied; name another place with --trace-dir'],
  ['/other', 'cannot use /other: permission denied'],
])('the error of an unwritable path names the flag: %s', (path, line) => {
  if (!config) throw new Error('no configuration');
  const flags = { ...config, dataDir: '/data', traceDir: '/proc/kadmit/traces' };
  expect(startProblem(Object.assign(new Error('EACCES'), { code: 'EACCES', path }), flags)).toBe(line);
});

const check =
  (modes: readonly string[], authorizationPolicyFile = '') =>
  () =>
    checkAuthorization({ authorizationMode: modes, authorizationPolicyFile });

// Source: kubernetes pkg/kubeapiserver/options/authorization_test.go
test.each<[modes: readonly string[], file: string, error: string]>([
  [[], '', 'at least one authorization-mode must be passed'],
  [['Nope'], '', 'authorization-mode "Nope" is not a valid mode'],
  [['ABAC'], '', "authorization-mode ABAC's authorization policy file not passed"],
  [['RBAC'], 'f', 'cannot specify --authorization-policy-file without mode ABAC'],
  [['RBAC', 'RBAC'], '', 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
  [
    ['No', 'ABAC'],
    '',
    '[authorization-mode "No" is not a valid mode, authorization-mode ABAC\'s authorization policy file not passed]',
  ],
])('--authorization-mode=%j with policies %j', (modes, file, error) => {
  expect(check(modes, file)).toThrow(commandFailed(error).message);
});

test('several authorizers in any order are fine', () => {
  expect(check(['ABAC', 'Node', 'RBAC', 'AlwaysDeny'], 'f')).not.toThrow();
});
