import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { admissionPluginsOf } from '../../../src/apiserver/admission/plugins/plugin-order.ts';
import { parseFlags } from '../../../src/adapters/config/flags/flags.ts';
import { asPflag } from '../../../src/app/cli/serve/pflag-words.ts';
import { serveFlags } from '../../../src/adapters/config/flags/serve/serve-options.ts';
import { pluginProblems } from '../../../src/adapters/config/start-problem.ts';
import { sortUpstreamFlags } from '../../../src/app/cli/serve/upstream-flags.ts';
import { commandFailed } from '../../../src/adapters/config/config-error.ts';
import { flagTypes } from '../../../src/adapters/config/upstream/flag-values.ts';
import { defaultOptions, readUpstreamOptions, upstreamHelp } from '../../../src/adapters/config/upstream/options.ts';
import { earlyProblem, optionsProblem } from '../../../src/adapters/config/upstream/validate-options.ts';
import { defaultMinor } from '../../../src/machinery/meta/release-names.ts';

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
  { args: ['--emulated-version=1.37'], kept: [], meaningless: [] },
])('$args', ({ args, kept, meaningless }) => {
  expect(sortUpstreamFlags(args)).toMatchObject({ args: kept, meaningless, fault: undefined });
});

test('flags that mean something are flags of kube-apiserver, and have its defaults', () => {
  expect(upstreamHelp.filter(({ name }) => !flagTypes.has(name))).toEqual([]);
  expect(defaultOptions).toMatchObject({
    number: { 'audit-log-maxsize': 100, 'max-requests-inflight': 400 },
    duration: { 'request-timeout': 60_000 },
    bool: { 'service-account-lookup': true },
    text: { 'audit-webhook-mode': 'batch' },
    list: { 'oidc-signing-algs': ['RS256'] },
  });
});

interface Start {
  readonly flags: readonly string[];
  readonly stderrLastLine: string;
}
const starts: readonly Start[] = JSON.parse(readFileSync('test/facts/startup-flags.json', 'utf8'));

/** The line that a start ends with, as far as flags alone say it. */
function ending(args: readonly string[]): string | undefined {
  const { args: own, given, fault } = sortUpstreamFlags(args);
  if (fault !== undefined) return `Error: ${fault}`;
  const early = earlyProblem(readUpstreamOptions(given));
  if (early !== undefined) return commandFailed(early).message;
  const parsed = parseFlags(serveFlags, own);
  if (parsed.outcome === 'usage') return `Error: ${asPflag(parsed.problem)[1]}`;
  if (parsed.outcome === 'help') return undefined;
  const config = { ...parsed.options, upstream: readUpstreamOptions(given) };
  const problem = optionsProblem(config, pluginProblems(config, admissionPluginsOf(defaultMinor)));
  return problem === undefined ? undefined : commandFailed(problem).message;
}

/** 1.37 emulates 1.34 to 1.37 where 1.36 emulates 1.33 to 1.36; its previous version is 1.36. */
const oneLater = (text: string): string =>
  text.replaceAll(/\b1\.(3[3-6])\b/g, (_version, minor: string) => `1.${Number(minor) + 1}`);

// Source: kube-apiserver v1.36.2, started with these flags besides those that it cannot do without.
test.each(starts)('$flags: $stderrLastLine', ({ flags, stderrLastLine }) => {
  const isAboutVersions = flags.some((flag) =>
    /^--(?:emulated-version|min-compatibility-version|show-hidden-metrics-for-version)=/.test(flag),
  );
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
