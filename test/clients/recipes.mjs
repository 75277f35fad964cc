import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import { execute, outcomeOf } from './execute.mjs';

const root = resolve('.');
const assets = join(root, 'dist', 'envtest');

/**
 * What the recipes of docs/guides tell to type, typed as it stands there in a project that has kadmit. What pip, mvn, cargo
 * and go then do is done by the programs of those languages; here they are stand-ins that say what they were given.
 */
export async function recipes(folder, scratch) {
  const project = projectIn(scratch);
  for (const [page, follow] of Object.entries(pages)) {
    const blocks = blocksOf(readFileSync(join(folder, page), 'utf8'));
    const problem = await follow(blocks, project);
    if (problem !== undefined) {
      process.stderr.write(`docs/guides/${page}: ${problem}\n`);
      return 'failed';
    }
  }
  return 'passed';
}

const pages = {
  'continuous-integration.md': async ({ yaml, shell }, project) => {
    const report = 'kadmit.xml';
    const documents = yaml.map((text) => parse(text));
    const [{ jobs }] = documents.filter((document) => 'jobs' in document);
    const [{ test: gitlab }] = documents.filter((document) => 'test' in document);
    const [container] = shell.filter((text) => text.includes('/shared/'));
    const steps = [...jobs.webhook.steps.flatMap(({ run }) => run ?? []), ...gitlab.script];
    // The scenarios of the project have stubs.
    writeFileSync(join(project, 'hook.mjs'), '');
    return (
      typed(steps.join('\n'), project) ??
      (readFileSync(join(project, report), 'utf8').includes('<testsuites') ? undefined : `${report} is no report`) ??
      (await served(container.replace('/shared/', `${project}/`), project, {
        typing: 'grep -q https://kadmit: kubeconfig',
        leaves: 'kubeconfig',
      }))
    );
  },
  'envtest.md': ({ shell: [suite] }, project) => typed(suite, project, assets),
  'go.md': ({ go: [program] }, project) => {
    const command = program.split('\n').find((line) => line.includes('exec.Command('));
    const words = [...command.matchAll(/"([^"]*)"/g)].map(([, word]) => word);
    const leaves = 'go.kubeconfig';
    return served([...words, leaves].join(' '), project, { typing: 'kubectl get --raw /readyz', says: 'ok', leaves });
  },
  'node.md': ({ js: [program] }, project) => {
    writeFileSync(join(project, 'recipe.mjs'), program);
    return served('npx kadmit serve', project, { typing: 'node recipe.mjs' });
  },
  'simulated-nodes.md': ({ shell: [rollout] }, project) => {
    const [server, ...lines] = rollout.split('\n');
    return served(server, project, { typing: lines.join('\n') });
  },
  'python.md': ({ shell: [block] }, project) => besideServer(block, project, 'python -m pytest'),
  'java.md': ({ shell: [block] }, project) => besideServer(block, project, 'mvn test'),
  'rust.md': ({ shell: [block] }, project) => besideServer(block, project, 'cargo test'),
};

/** The fenced blocks of a page, by their language. */
function blocksOf(page) {
  const blocks = {};
  for (const [, language, text] of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm))
    (blocks[language] ??= []).push(text.trimEnd());
  return blocks;
}

/** A folder with scenarios of its own, in which npx finds kadmit. */
function projectIn(scratch) {
  const project = join(scratch, 'project');
  const bin = join(scratch, 'bin');
  for (const made of [project, bin]) mkdirSync(made);
  cpSync(join('scenarios', 'policy-table'), join(project, 'scenarios', 'policy-table'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  const program = (name, text) => writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const kadmit = `exec '${process.execPath}' '${join(root, 'dist', 'main.js')}' "$@"`;
  program('kadmit', kadmit);
  program('npx', `shift; ${kadmit}`);
  for (const name of ['go', 'python', 'mvn', 'cargo', 'pip', 'npm'])
    program(name, `echo "${name} $*: $KUBEBUILDER_ASSETS $KUBECONFIG"`);
  return project;
}

const surroundings = (project) => ({ PATH: `${join(project, '..', 'bin')}:${process.env['PATH']}` });

/** What is wrong when these lines are typed, each of which may not fail; undefined when they say this. */
function typed(lines, project, says = '', env = {}) {
  const done = execute('bash', ['--norc', '-ec', lines], {
    minutes: 3,
    cwd: project,
    env: { ...surroundings(project), ...env },
  });
  if (outcomeOf(done) === 'failed') return `${lines}\nended with ${done.status}`;
  return done.stdout.includes(says) ? undefined : `${lines}\ndid not say ${says}, but ${done.stdout}`;
}

/** The same for a block whose first line starts a server beside the others. */
function besideServer(block, project, says) {
  const [server, ...lines] = block.split('\n');
  return served(server.replace(/ &$/, ''), project, { typing: lines.join('\n'), says: `${says}: ` });
}

/** The same while a server runs, started by this line; its kubeconfig is what `leaves` names. */
async function served(line, project, { typing, says, leaves = join('.kadmit', 'kubeconfig') }) {
  const kubeconfig = join(project, leaves);
  rmSync(kubeconfig, { force: true });
  const server = spawn('bash', ['--norc', '-c', `exec ${line} --secure-port 0 --ui-port -1`], {
    cwd: project,
    env: { ...process.env, ...surroundings(project) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(server, 'exit');
  try {
    while (!existsSync(kubeconfig)) {
      if (server.exitCode !== null) return `${line}\nended with ${server.exitCode}`;
      await wait(50);
    }
    return typed(typing, project, says, { KUBECONFIG: kubeconfig });
  } finally {
    server.kill();
    await ended;
  }
}
