import { existsSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { parseFlags } from '../../../adapters/config/flags/flags.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import { findScenarios } from '../../../testing/scenario/find-scenarios.ts';
import { limitText } from '../../../testing/scenario/run-limits.ts';
import type { Parts } from '../command.ts';
import { packageFile } from '../package-file.ts';
import { exitCodes } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { documentProblem } from './test-document.ts';
import { finish, noneWanted, runOnce, tellScriptless } from './test-once.ts';
import { testFlags, testHelp } from './test-options.ts';
import type { TestOptions } from './test-options.ts';
import { createScreen, reportProblem } from './test-reports.ts';
import { testReviews } from './test-reviews.ts';
import { runInThreads, threadsFor } from './test-threads.ts';
import { watchScenarios } from './test-watch.ts';

/** `kadmit test`: runs scenarios and says what failed and why. */
export async function test(args: readonly string[], io: Io, parts: Parts): Promise<number> {
  const parsed = parseFlags(testFlags, args);
  if (parsed.outcome === 'help') {
    io.out(testHelp());
    return exitCodes.fine;
  }
  const problem = parsed.outcome === 'usage' ? parsed.problem : usageProblem(parsed.options, parsed.rest);
  if (problem !== undefined || parsed.outcome === 'usage') {
    io.error(`kadmit test: ${problem ?? ''}`);
    return exitCodes.usage;
  }
  const { options, rest } = parsed;
  try {
    if (options.init !== '') return initScenario(options.init, io);
    if (options.webhook !== '') return await testReviews(rest, options, { io, readYaml: parts.readYaml });
    return await testScenarios(rest, options, { io, parts });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    io.error(`kadmit test: ${error.message}`);
    return exitCodes.usage;
  }
}

interface Outside {
  readonly io: Io;
  readonly parts: Parts;
}

async function testScenarios(paths: readonly string[], options: TestOptions, { io, parts }: Outside): Promise<number> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => {
    bugs.push(error);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    io.error(`kadmit test: this is a bug in kadmit: ${text}`);
  };
  const runOver = guardExit((text) => io.error(`kadmit test: ${text}`));
  try {
    const exitCode = options.watch
      ? await watchAll(paths, options, { io, parts, onBug })
      : await runFound(paths, options, { io, parts, onBug });
    return exitCode === exitCodes.fine && bugs.length > 0 ? exitCodes.failed : exitCode;
  } finally {
    runOver();
  }
}

type Watched = Outside & { readonly onBug: (error: unknown) => void };

async function watchAll(
  paths: readonly string[],
  options: TestOptions,
  { io, parts, onBug }: Watched,
): Promise<number> {
  const worlds = await parts.createWorlds(onBug);
  const ignore = [options.traceDir, ...options.report.map(({ file }) => file)].filter((path) => path !== '');
  try {
    return await watchScenarios({ paths, ignore }, (files) => runOnce(files, { options, io, worlds }), io);
  } finally {
    await worlds.close();
  }
}

async function runFound(paths: readonly string[], options: TestOptions, outside: Watched): Promise<number> {
  const found = findScenarios(paths);
  if (found.outcome === 'missing') throw new ConfigError(found.problem);
  const { testThread } = outside.parts;
  const { target, compareWith, outage } = options;
  // A cluster is cleaned up by the process that has used it.
  const isApart = target === '' && compareWith === '' && !outage;
  return testThread && isApart
    ? runApart(found.files, options, { ...outside, testThread })
    : runHere(found.files, options, outside);
}

/** In threads, which scripts may end without ending the run. */
async function runApart(
  files: readonly string[],
  options: TestOptions,
  { io, onBug, testThread: module }: Watched & { readonly testThread: URL },
): Promise<number> {
  const screen = createScreen(options, io);
  const ending = createEnding(options.timeout);
  const tell = (text: string): void => io.error(`kadmit test: ${text}`);
  try {
    const threads = threadsFor(files, options);
    const { signal } = ending;
    const run = await runInThreads(files, threads, options, { module, screen, tell, onBug, signal });
    tellScriptless(run.scriptless, tell);
    if (run.outcomes.length + run.unreadable.length === 0 && !signal.aborted) return noneWanted(run, io);
    screen.summary(run);
    const exitCode = await finish(run, { options, io });
    return ending.isInterrupted() ? interruptedCode : exitCode;
  } finally {
    ending.close();
  }
}

/** In this thread: with a cluster, or where there are no others. */
async function runHere(files: readonly string[], options: TestOptions, { io, parts, onBug }: Watched): Promise<number> {
  const worlds = await parts.createWorlds(onBug);
  const timer =
    options.timeout === 0 ? undefined : setTimeout(() => process.kill(process.pid, 'SIGTERM'), options.timeout);
  try {
    return (await runOnce(files, { options, io, worlds })).exitCode;
  } finally {
    clearTimeout(timer);
    await worlds.close();
  }
}

/** What is wrong with flags and paths that are fine one by one; undefined when nothing is. */
function usageProblem(options: TestOptions, paths: readonly string[]): string | undefined {
  const { init, report } = options;
  if (init !== '') return paths.length > 0 ? `--init and ${paths[0] ?? ''}: give one of them` : undefined;
  if (paths.length === 0) return 'no PATH given: kadmit test scenarios/, for example';
  const problem = webhookProblem(options);
  if (problem !== undefined) return problem;
  const [mode, another] = modesOf(options);
  if (another !== undefined) return `${mode ?? ''} and ${another} cannot go together`;
  if (mode === '--compare-with' || mode === '--outage') return documentProblem(mode, options);
  return reportProblem(report);
}

function webhookProblem({ webhook, ca, insecure, noScripts }: TestOptions): string | undefined {
  if (webhook === '') return ca !== '' || insecure ? '--ca and --insecure are for --webhook' : undefined;
  const isScript = !/^https?:\/\//.test(webhook);
  return isScript && noScripts ? '--no-scripts and --webhook SCRIPT cannot go together' : undefined;
}

/** Flags of which each does something else with the scenarios. */
function modesOf({ target, compareWith, outage, webhook }: TestOptions): readonly string[] {
  return [
    ...(target === '' ? [] : ['--target']),
    ...(compareWith === '' ? [] : ['--compare-with']),
    ...(outage ? ['--outage'] : []),
    ...(webhook === '' ? [] : ['--webhook']),
  ];
}

/** What may end a run of `kadmit test` before it is over. */
interface Ending {
  /** Aborts with why, in words. */
  readonly signal: AbortSignal;
  /** Ctrl-C did it. */
  readonly isInterrupted: () => boolean;
  readonly close: () => void;
}

/** Ctrl-C, SIGTERM, or the end of the time that the run has; 0: it has all the time. A second Ctrl-C ends the process. */
function createEnding(timeout: number): Ending {
  const controller = new AbortController();
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    controller.abort('interrupted');
    off();
  };
  const off = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  for (const signal of signals) process.on(signal, interrupt);
  const late = (): void => controller.abort(`--timeout ${limitText(timeout)} is over`);
  const timer = timeout > 0 ? setTimeout(late, timeout) : undefined;
  return {
    signal: controller.signal,
    isInterrupted: () => isInterrupted,
    close: () => {
      off();
      clearTimeout(timer);
    },
  };
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Of a process that Ctrl-C ended. */
const interruptedCode = 130;

/**
 * Sees to it that the process does not end well before the run is over: a script in it may call process.exit. Returns
 * what says that the run is over.
 */
function guardExit(complain: (text: string) => void): () => void {
  const onExit = (code: number): void => {
    if (code !== 0) return;
    complain('something ended the process before the run was over; was it a script?');
    process.exitCode = 1;
  };
  process.on('exit', onExit);
  return () => process.off('exit', onExit);
}

/** `kadmit test --init FOLDER`: writes a first scenario, for an editor that knows its schema. Throws ConfigError. */
function initScenario(folder: string, io: Io): number {
  const file = join(folder, 'scenario.yaml');
  if (existsSync(file)) throw new ConfigError(`--init ${folder}: there is a scenario.yaml already`);
  try {
    makeFolder(folder, 0o777);
    writeFileSync(file, firstScenario(schemaFrom(folder)));
    if (!existsSync(join(folder, 'pod.yaml'))) writeFileSync(join(folder, 'pod.yaml'), pod);
  } catch (error) {
    throw new ConfigError(`--init ${folder}: ${errorText(error)}`);
  }
  io.out(`wrote ${file} and pod.yaml; run it with: kadmit test ${folder}`);
  return exitCodes.fine;
}

/** The schema of this kadmit, from where the scenario is. */
function schemaFrom(folder: string): string {
  return relative(resolve(folder), packageFile('docs/reference/scenario.schema.json')).split(sep).join('/');
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
