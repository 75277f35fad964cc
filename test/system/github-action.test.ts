import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// The shell steps of action.yml, run as a runner of GitHub runs them: bash, the environment of the step, a summary file.

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const action: {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
} = parse(readFileSync('action.yml', 'utf8'));

const root = temporaryFolder();

/** Runs the steps without a condition in a project that has kadmit installed. */
function runAction(name: string, inputs: Readonly<Record<string, string>>) {
  const project = join(root, name);
  const bin = join(project, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'kadmit'), `#!/bin/sh\nexec node ${resolve('dist/main.js')} "$@"\n`, { mode: 0o755 });
  const summary = join(project, 'summary.md');
  const values: Record<string, string> = { 'runner.temp': project };
  for (const [input, { default: usual }] of Object.entries(action.inputs))
    values[`inputs.${input}`] = inputs[input] ?? usual;
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_all, key: string) => values[key] ?? key);
  const results = action.runs.steps
    .filter((step) => step.run !== undefined && step.if === undefined)
    .map(({ run = '', env = {} }) => {
      const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, filled(value)]));
      const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', run], {
        cwd: project,
        encoding: 'utf8',
        env: { ...process.env, ...own, GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: project },
      });
      return { status, stdout };
    });
  const traces = join(project, 'kadmit-traces');
  return {
    results,
    summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
    traces: existsSync(traces) ? readdirSync(traces) : [],
  };
}

test('the action runs the scenarios of a project and writes a summary', () => {
  const { results, summary } = runAction('passing', { scenarios: resolve('scenarios/first-scenario') });
  expect(results).toMatchObject([{ status: 0, stdout: expect.stringContaining('1 passed') }]);
  expect(summary).toContain('1 passed');
});

test('a failed scenario has an annotation, a line in the summary, and its traces', () => {
  const scenario = join(root, 'failing.kadmit.yaml');
  writeFileSync(
    scenario,
    `name: a Pod is refused\nsteps:\n  - create: ${resolve('scenarios/getting-started/good-pod.yaml')}\n    expect: refused\n`,
  );
  const { results, summary, traces } = runAction('failing', { scenarios: scenario, args: '--bail' });
  expect(results).toMatchObject([
    { status: 1, stdout: expect.stringMatching(/^::error file=.*failing\.kadmit\.yaml,line=[34],/m) },
  ]);
  expect(summary).toContain('a Pod is refused');
  expect(traces).not.toEqual([]);
});

test('a version that is named precedes the kadmit of the project', () => {
  const installed = join(root, 'installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'kadmit'), '#!/bin/sh\necho the named version\n', { mode: 0o755 });
  const path = process.env['PATH'] ?? '';
  vi.stubEnv('PATH', `${installed}:${path}`);
  const { results } = runAction('version', { version: '1.2.3' });
  vi.unstubAllEnvs();
  expect(results).toMatchObject([{ status: 0, stdout: 'the named version\n' }]);
});
