import { expect, test } from 'vitest';
import { kubeApiserverFlags, readGoFlags } from '../../../../src/app/cli/envtest/pflag.ts';

// Source: pflag flag_test.go, and what kube-apiserver v1.36.2 prints after "Error: ".
const facts: readonly [
  fact: string,
  args: string,
  given: Readonly<Record<string, readonly string[]>>,
  rest?: string,
][] = [
  ['a value after an equals sign', '--etcd-servers=http://a:1', { 'etcd-servers': ['http://a:1'] }],
  ['a value as the next argument', '--secure-port 1 --cert-dir d', { 'secure-port': ['1'], 'cert-dir': ['d'] }],
  ['underscores join words too', '--secure_port=1', { 'secure-port': ['1'] }],
  ['a value may hold equals signs', '--feature-gates=A=true,B=false', { 'feature-gates': ['A=true,B=false'] }],
  ['an empty value', '--token-auth-file=', { 'token-auth-file': [''] }],
  [
    'a flag given twice',
    '--service-account-issuer=a --service-account-issuer=b',
    { 'service-account-issuer': ['a', 'b'] },
  ],
  ['a boolean takes no next argument', '--profiling false', { profiling: ['true'] }, 'false'],
  [
    'a boolean as Go spells it',
    '--allow-privileged=T --profiling=0',
    { 'allow-privileged': ['true'], profiling: ['false'] },
  ],
  ['the level in short', '-v 3', { v: ['3'] }],
  ['the level at once', '-v=3', { v: ['3'] }],
  ['the level without a sign', '-v4', { v: ['4'] }],
  ['help in short', '-h', { help: ['true'] }],
  ['flags end at two dashes', '--profiling -- --x', { profiling: ['true'] }, '--x'],
];

test.each(facts)('%s', (_fact, args, given, rest = '') => {
  const read = readGoFlags(args.split(' '), kubeApiserverFlags);
  expect(read).toEqual({ outcome: 'read', given: new Map(Object.entries(given)), rest: rest === '' ? [] : [rest] });
});

test.each([
  ['--nonsense=1', 'unknown flag: --nonsense'],
  ['--insecure-port=0', 'unknown flag: --insecure-port'],
  ['--secure-port', 'flag needs an argument: --secure-port'],
  ['-v', "flag needs an argument: 'v' in -v"],
  ['-x', "unknown shorthand flag: 'x' in -x"],
  ['--=1', 'bad flag syntax: --=1'],
  ['---x', 'bad flag syntax: ---x'],
  [
    '--profiling=maybe',
    'invalid argument "maybe" for "--profiling" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
])('%s is refused', (arg, error) => {
  expect(readGoFlags([arg], kubeApiserverFlags)).toEqual({ outcome: 'wrong', error });
});
