import { ConfigError } from '../../../adapters/config/config-error.ts';
import { defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { type Io, structured, exitCodes } from '../terminal/io.ts';
import { testFlags, type TestOptions } from './test-flags.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../../../machinery/errors.ts';
import { makeFolder } from '../../../adapters/files/portable-files.ts';
import { schemaFor } from '../package-file.ts';

/** `kadmit test`: runs scenarios and explains failures. */
export const testCommand = defineCommand({
  name: 'test',
  group: 'Test',
  synopsis: ['PATH... [FLAGS]', '--init FOLDER'],
  purpose: 'run scenarios and explain failures',
  details: [
    'PATH is a scenario, or a folder that is searched for scenario.yaml and *.kadmit.yaml; docs/reference/scenario-format.md ' +
      'describes the format. With --call, PATH has AdmissionReviews, and the webhook receives all of them.',
    'Exit codes: 0 all passed, 1 one failed, 2 bad usage, or a file cannot be read.',
  ],
  flags: testFlags,
  positionals: { name: 'PATH', complete: [{ type: 'files' }] },
  examples: ['test scenarios/', 'test scenarios/ -t sidecar --watch'],
  run: async ({ args, options: given }, io, parts: CommandContext) => {
    const { output } = given;
    const options = {
      ...given,
      coverage: given.coverage || given.coverageThreshold.length > 0,
      report: output === 'text' ? given.report : [...given.report, { kind: 'json' as const, file: '' }],
    };
    const problem = usageProblem(options, args);
    if (problem !== undefined) throw new ConfigError(problem);
    if (options.init !== '') return initScenario(options.init, io);
    if (output !== 'yaml') return runTests(args, options, { io, parts });
    const lines: string[] = [];
    const exitCode = await runTests(args, options, { io: { ...io, out: (text) => void lines.push(text) }, parts });
    if (lines.length > 0) io.out(await structured('yaml', lines.join('\n')));
    return exitCode;
  },
});

async function runTests(
  paths: readonly string[],
  options: TestOptions,
  { io, parts }: { readonly io: Io; readonly parts: CommandContext },
): Promise<number> {
  if (options.call !== '')
    return (await import('./test-reviews.ts')).testReviews(paths, options, { io, readYaml: parts.readYaml });
  return (await import('./test-scenarios.ts')).testScenarios(paths, options, { io, parts });
}

function usageProblem(options: TestOptions, paths: readonly string[]): string | undefined {
  const { init, report } = options;
  if (init !== '') return paths.length > 0 ? `--init and ${paths[0] ?? ''} cannot be used together` : undefined;
  if (paths.length === 0) return 'at least one PATH is required';
  const problem = callProblem(options) ?? pairProblem(options);
  if (problem !== undefined) return problem;
  const [mode, another] = modesOf(options);
  if (another !== undefined) return `${mode ?? ''} and ${another} cannot be used together`;
  if (mode === '--compare-with' || mode === '--outage') return documentProblem(mode, options);
  return reportProblem(report);
}

function callProblem({ call, ca, insecure, noScripts }: TestOptions): string | undefined {
  if (call === '') return ca !== '' || insecure ? '--ca and --insecure need --call' : undefined;
  const isScript = !/^https?:\/\//.test(call);
  return isScript && noScripts ? '--no-scripts and --call SCRIPT cannot be used together' : undefined;
}

function pairProblem(options: TestOptions): string | undefined {
  const { watch, output, coverageThreshold } = options;
  if (watch && output === 'yaml') return '--watch and -o yaml cannot be used together';
  const [mode] = modesOf(options);
  return mode === undefined || coverageThreshold.length === 0
    ? undefined
    : `--coverage-threshold and ${mode} cannot be used together`;
}

/** Flags that exclude each other. */
function modesOf({ target, compareWith, outage, call }: TestOptions): readonly string[] {
  return [
    ...(target === '' ? [] : ['--target']),
    ...(compareWith === '' ? [] : ['--compare-with']),
    ...(outage ? ['--outage'] : []),
    ...(call === '' ? [] : ['--call']),
  ];
}

function documentProblem(flag: string, { report }: TestOptions): string | undefined {
  const other = report.find(({ kind }) => kind !== 'pretty' && kind !== 'json');
  return other === undefined ? undefined : `${flag} reports as pretty or json, not as ${other.kind}`;
}

/** Reports of one document cannot share standard output. */
function reportProblem(wanted: TestOptions['report']): string | undefined {
  const there = wanted.filter(({ file }) => file === '').map(({ kind }) => kind);
  const alone = there.find((kind) => kind !== 'pretty' && kind !== 'github');
  if (alone === undefined || there.length === 1) return undefined;
  return `--report ${alone} shares standard output with another report: give it a file, --report ${alone}=FILE`;
}

/** `kadmit test --init FOLDER`. Throws ConfigError. */
function initScenario(folder: string, io: Io): number {
  const file = join(folder, 'scenario.yaml');
  if (existsSync(file)) throw new ConfigError(`--init ${folder}: scenario.yaml exists already`);
  try {
    makeFolder(folder, 0o777);
    writeFileSync(file, firstScenario(schemaFor(folder)));
    if (!existsSync(join(folder, 'pod.yaml'))) writeFileSync(join(folder, 'pod.yaml'), pod);
  } catch (error) {
    throw new ConfigError(`--init ${folder}: ${errorText(error)}`);
  }
  io.out(`wrote ${file} and pod.yaml; run it with: kadmit test ${folder}`);
  return exitCodes.fine;
}

const firstScenario = (schema: string): string => `# yaml-language-server: $schema=${schema}
name: privileged Pods are refused
namespaces: { shop: {} }
webhooks:
  # A stub. To use your own configuration and webhook instead: load: [configuration.yaml], and here its name with to: URL.
  - name: no-privileged.example.com
    type: validating
    rules: CREATE pods
    does: { deny: privileged containers are not allowed }
steps:
  - create: pod.yaml
    namespace: shop
    expect:
      deniedBy: no-privileged.example.com
      message: /privileged containers/
  # An object with finalizers that is deleted stays until they are removed by updates. A webhook that denies these keeps it for ever.
  - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: held, finalizers: [example.com/held] } }
    namespace: shop
  - delete: configmap/held
    namespace: shop
  - name: delete, then remove finalizers
    patch: configmap/held
    namespace: shop
    merge: { metadata: { finalizers: null } }
    expect: { outcome: admitted }
`;

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - { name: web, image: nginx, securityContext: { privileged: true } }
`;
