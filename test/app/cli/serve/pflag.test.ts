import { expect, test } from 'vitest';
import {
  kubeApiserverFlags,
  readGoFlags,
  toPflagError,
  splitUpstreamFlags,
} from '../../../../src/app/cli/serve/pflag.ts';
import { readFileSync } from 'node:fs';
import { parseFlags } from '../../../../src/adapters/config/flags/flags.ts';
import { serveFlags } from '../../../../src/adapters/config/flags/serve/serve-options.ts';
import { admissionPluginsOf } from '../../../../src/apiserver/admission/plugins/plugin-order.ts';
import { pluginProblems } from '../../../../src/adapters/config/start-problem.ts';
import { commandFailed } from '../../../../src/adapters/config/config-error.ts';
import { logFormatProblem, optionsProblem } from '../../../../src/adapters/config/upstream/validate-options.ts';
import { defaultMinor } from '../../../../src/machinery/meta/release-names.ts';

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

interface Start {
  readonly flags: readonly string[];
  readonly stderrLastLine?: string;
}
const starts: readonly Start[] = JSON.parse(readFileSync('test/facts/startup-errors.json', 'utf8'));

// Source: kube-apiserver v1.36.2, started with these flags.
test.each(starts.filter(({ stderrLastLine }) => stderrLastLine?.startsWith('Error: ')))(
  '$flags: $stderrLastLine',
  ({ flags, stderrLastLine }) => {
    const parsed = parseFlags(serveFlags, flags);
    expect(parsed.outcome === 'usage' && `Error: ${toPflagError(parsed.problem)[1]}`).toBe(stderrLastLine);
  },
);

test('the hint is separate from the message', () => {
  expect(toPflagError('unknown flag --certdir; did you mean --cert-dir?')).toEqual([
    'did you mean --cert-dir?',
    'unknown flag: --certdir',
  ]);
});

test('a flag of kadmit alone has words of its own', () => {
  expect(toPflagError('--ui-port "x" is not a port')).toEqual([undefined, undefined]);
});

// Source: kube-apiserver --help of v1.36.2; pflag: a boolean takes its value only after an equals sign.
test.each([
  { args: ['--etcd-compaction-interval=5m'], kept: [], meaningless: ['etcd-compaction-interval'] },
  {
    args: ['--etcd-compaction-interval', '5m', '--secure-port', '0'],
    kept: ['--secure-port', '0'],
    meaningless: ['etcd-compaction-interval'],
  },
  { args: ['--profiling', '--secure-port=0'], kept: ['--secure-port=0'], meaningless: ['profiling'] },
  { args: ['--watch-cache=false', '--v=2'], kept: ['--v=2'], meaningless: ['watch-cache'] },
  { args: ['--authorization-mode', 'RBAC'], kept: ['--authorization-mode', 'RBAC'], meaningless: [] },
  { args: ['--ui-port', '-1', '--profiling'], kept: ['--ui-port', '-1'], meaningless: ['profiling'] },
  { args: ['--ui-port'], kept: ['--ui-port'], meaningless: [] },
  { args: ['--no-such-flag', 'x'], kept: ['--no-such-flag', 'x'], meaningless: [] },
  { args: ['--', '--profiling'], kept: ['--', '--profiling'], meaningless: [] },
  { args: ['--help'], kept: ['--help'], meaningless: [] },
  { args: ['--emulated-version=1.37'], kept: ['--emulated-version=1.37'], meaningless: [] },
])('$args', ({ args, kept, meaningless }) => {
  expect(splitUpstreamFlags(args)).toMatchObject({ args: kept, meaningless, fault: undefined });
});

interface FlagStart {
  readonly flags: readonly string[];
  readonly stderrLastLine: string;
}
const flagStarts: readonly FlagStart[] = JSON.parse(readFileSync('test/facts/startup-flags.json', 'utf8'));

/** The line that a start ends with, as far as flags alone say it. */
function ending(args: readonly string[]): string | undefined {
  const { args: own, given, fault } = splitUpstreamFlags(args);
  if (fault !== undefined) return `Error: ${fault}`;
  const formatProblem = logFormatProblem(given);
  if (formatProblem !== undefined) return commandFailed(formatProblem).message;
  const parsed = parseFlags(serveFlags, own);
  if (parsed.outcome === 'usage') return `Error: ${toPflagError(parsed.problem)[1]}`;
  if (parsed.outcome === 'help') return undefined;
  const config = parsed.options;
  const problem = optionsProblem(config, pluginProblems(config, admissionPluginsOf(defaultMinor)), given);
  return problem === undefined ? undefined : commandFailed(problem).message;
}

/** 1.37 emulates 1.34 to 1.37 where 1.36 emulates 1.33 to 1.36; its previous version is 1.36. */
const oneLater = (text: string): string =>
  text.replaceAll(/\b1\.(3[3-6])\b/g, (_version, minor: string) => `1.${Number(minor) + 1}`);

// Source: kube-apiserver v1.36.2, started with these flags besides those that it cannot do without.
test.each(flagStarts)('$flags: $stderrLastLine', ({ flags, stderrLastLine }) => {
  const isAboutVersions = flags.some((flag) => flag.startsWith('--emulated-version='));
  const shifted = isAboutVersions ? oneLater : (text: string): string => text;
  expect(ending(flags.map(shifted))).toBe(shifted(stderrLastLine));
});

test.each([
  ['--secure-port=0'],
  ['--bind-address=localhost'],
  ['--v=300'],
  ['--allow-privileged=1'],
  ['--watch-cache'],
])('%s is fine', (flag) => {
  expect(ending([flag])).toBeUndefined();
});
