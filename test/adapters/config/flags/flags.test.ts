import { expect, test } from 'vitest';
import { type Flag, parseFlags } from '../../../../src/adapters/config/flags/flags.ts';
import { serveFlags } from '../../../../src/adapters/config/flags/serve/serve-options.ts';
import type { ServerConfig } from '../../../../src/adapters/config/server-config.ts';

const parse = (...args: readonly string[]): object => parseFlags(serveFlags, args);

// Source: the command line in docs; kube-apiserver's flags of the same names.
const given: readonly [fact: string, args: readonly string[], options: Partial<ServerConfig>][] = [
  [
    'nothing given, the defaults',
    [],
    {
      bindAddress: '127.0.0.1',
      securePort: 6443,
      certDir: '.kadmit',
      tokenAuthFile: '',
      anonymousAuth: true,
      authorizationMode: [],
      authenticationConfig: '',
      serviceClusterIpRange: '10.0.0.0/24',
      controllers: ['*'],
      writeKubeconfig: '.kadmit/kubeconfig',
      load: [],
      map: [],
      allowPrivileged: true,
      uiPort: 6480,
    },
  ],
  ['a value after a space', ['--secure-port', '7443'], { securePort: 7443 }],
  ['a value after =', ['--secure-port=0'], { securePort: 0 }],
  ['a value that begins with a dash', ['--ui-port', '-1'], { uiPort: -1 }],
  ['the same after =', ['--ui-port=-1'], { uiPort: -1 }],
  ['an empty value', ['--controllers', ''], { controllers: [] }],
  ['an empty value after =', ['--controllers='], { controllers: [] }],
  ['a value with = in it', ['--token-auth-file=a=b'], { tokenAuthFile: 'a=b' }],
  ['the last of several', ['--cert-dir', 'a', '--cert-dir', 'b'], { certDir: 'b' }],
  ['a switch alone', ['--anonymous-auth', '--secure-port', '1'], { anonymousAuth: true, securePort: 1 }],
  ['a switch with a value', ['--anonymous-auth', 'false'], { anonymousAuth: false }],
  ['a switch with a value after =', ['--allow-privileged=false'], { allowPrivileged: false }],
  [
    'lists add up',
    ['--enable-admission-plugins', 'A,B', '--enable-admission-plugins=C'],
    { enableAdmissionPlugins: ['A', 'B', 'C'] },
  ],
  ['all controllers but one', ['--controllers', '*,-pods'], { controllers: ['*', '-pods'] }],
  ['paths are not lists', ['--load', 'a,b', '--load', 'c'], { load: ['a,b', 'c'] }],
  ['standard output', ['--audit-log-path', '-'], { auditLogPath: '-' }],
  ['an API fault is no list', ['--api-fault', 'conflict:calls=1,3'], { apiFault: ['conflict:calls=1,3'] }],
  ['a seed', ['--api-fault-seed=-7'], { apiFaultSeed: -7 }],
  ['one letter behind one dash', ['-v=3', '--logging-format', 'json'], { v: 3, loggingFormat: 'json' }],
  [
    'services that listen elsewhere',
    ['--map', 'hooks/one=https://127.0.0.1:8443/path?x=1', '--map=hooks/two:9443=http://localhost:8080'],
    {
      map: [
        { from: 'hooks/one', url: 'https://127.0.0.1:8443/path?x=1' },
        { from: 'hooks/two:9443', url: 'http://localhost:8080' },
      ],
    },
  ],
];

test.each(given)('%s', (_fact, args, options) => {
  expect(parse(...args)).toMatchObject({ outcome: 'parsed', options });
});

test.each([
  ['RBAC', ['RBAC']],
  ['Node,RBAC', ['Node', 'RBAC']],
])('--authorization-mode %s is %s', (modes, authorizationMode) => {
  expect(parse(`--authorization-mode=${modes}`)).toMatchObject({ outcome: 'parsed', options: { authorizationMode } });
});

const wrong: readonly [args: string, problem: string][] = [
  ['--secure-port', '--secure-port needs a value: --secure-port PORT'],
  ['--secure-port x', '--secure-port "x" is not a port: give a number from 0 to 65535'],
  ['--secure-port -1', '--secure-port "-1" is not a port: give a number from 0 to 65535'],
  ['--secure-port 65536', '--secure-port "65536" is not a port: give a number from 0 to 65535'],
  ['--secure-port 1e3', '--secure-port "1e3" is not a port: give a number from 0 to 65535'],
  ['--secure-port=', '--secure-port "" is not a port: give a number from 0 to 65535'],
  ['--ui-port -2', '--ui-port "-2" is not a port: give a number from -1 to 65535'],
  ['--anonymous-auth=maybe', '--anonymous-auth "maybe" is neither true nor false'],
  [
    '--map web=https://x',
    '--map "web=https://x" is not NAMESPACE/SERVICE[:PORT]=URL (or https://HOST[:PORT]=URL, or *=URL): give one such as hooks/my-webhook=https://127.0.0.1:8443',
  ],
  [
    '--map a/b=127.0.0.1:8400',
    '--map "a/b=127.0.0.1:8400" does not say whether the webhook speaks TLS: write http:// or https:// before its address',
  ],
  ['--map a/b=http://x --map a/b=http://y', '--map "a/b=http://y" is for one that is led somewhere already'],
  ['--autorization-mode RBAC', 'unknown flag --autorization-mode; did you mean --authorization-mode?'],
  [
    '--map a/b=ftp://x',
    '--map "a/b=ftp://x" is not NAMESPACE/SERVICE[:PORT]=URL (or https://HOST[:PORT]=URL, or *=URL): give one such as hooks/my-webhook=https://127.0.0.1:8443',
  ],
  [
    '--assume a',
    '--assume "a" is not NAME=allow, NAME=deny or NAME=ignore: give one such as injector.example.com=allow, or *=ignore',
  ],
  ['--assume a=allow --assume a=deny', '--assume "a=deny" is for a webhook that has one already'],
  ['--api-fault-seed x', '--api-fault-seed "x" must be an integer'],
  ['--certdir x', 'unknown flag --certdir; did you mean --cert-dir?'],
  ['--audit-log x', 'unknown flag --audit-log; did you mean --audit-log-path or --audit-policy-file?'],
  ['--hlep', 'unknown flag --hlep; did you mean --help?'],
  ['-help', 'unknown flag -help; did you mean --help?'],
  ['--constructor x', 'unknown flag --constructor'],
  ['-p 1', 'unknown flag -p'],
];

test.each(wrong)('%s: %s', (args, problem) => {
  expect(parse(...args.split(' '))).toEqual({ outcome: 'usage', problem });
});

const shapes: readonly [fact: string, args: readonly string[], parsed: object][] = [
  ['--help wins', ['--secure-port', '1', '--help', '--nope'], { outcome: 'help' }],
  ['what is no flag is the rest', ['a', '--cert-dir', 'x', 'b', '--', '--c'], { rest: ['a', 'b', '--c'] }],
];

test.each(shapes)('%s', (_fact, args, parsed) => {
  expect(parse(...args)).toMatchObject(parsed);
});

test.each(Object.values<Flag<unknown>>(serveFlags).map(({ name }) => [name]))('--%s is read in both forms', (name) => {
  const flags = Object.entries<Flag<unknown>>(serveFlags);
  const [field = '', flag] = flags.find(([, one]) => one.name === name) ?? [];
  const value = ['a/b=http://c', '10.1.0.0/16', 'true', 'AlwaysAllow', 'json', '1', '*=allow', '5m', '1.36', 'x'].find(
    (text) => flag?.read([text]).outcome === 'read',
  );
  expect(value).toBeDefined();
  expect(field).toBe(name.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase()));
  expect(parse(`--${name}`, value ?? '')).toEqual(parse(`--${name}=${value}`));
});
