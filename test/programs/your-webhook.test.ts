import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { callServer, objectIn } from '../../src/adapters/config/kubeconfig/call-server.ts';
import { readKubeconfig } from '../../src/adapters/config/kubeconfig/read-kubeconfig.ts';
import { valueAt } from '../../src/machinery/json/json.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// The files of docs/guides/your-webhook.md, saved and started as the page says. Java and Rust need packages of a registry.

const guide = readFileSync('docs/guides/your-webhook.md', 'utf8');
const root = temporaryFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGINT');
});

const block = (language: string, text: string = guide): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';

const isThere = (program: string, flag: string): boolean => spawnSync(program, [flag]).status === 0;

const languages = [
  { title: 'Node', language: 'js', file: 'hook.mjs', program: process.execPath, flag: '--version' },
  { title: 'Go', language: 'go', file: 'main.go', program: 'go', flag: 'version' },
  { title: 'Python', language: 'python', file: 'hook.py', program: 'python3', flag: '--version' },
];

describe.each(languages)('$title', ({ title, language, file, program, flag }) => {
  test.skipIf(!isThere(program, flag))('the webhook of the guide adds the label, over TLS', async () => {
    const folder = join(root, language);
    mkdirSync(folder);
    writeFileSync(join(folder, 'webhook.yaml'), block('yaml'));
    writeFileSync(join(folder, file), block(language));
    const [, typed = ''] = /-- (.*)/.exec(block('shell', guide.split(`### ${title}\n`)[1])) ?? [];
    const words = [resolve('dist/main.js'), 'dev', '--secure-port=0', '--ui-port=-1', '-f', 'webhook.yaml', '--'];
    const child = spawn(process.execPath, [...words, ...typed.split(' ')], { cwd: folder });
    children.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output, { timeout: 50_000 }).toContain('Ctrl-C stops it.');
    expect(output).toContain('serves the certificate of kadmit');

    const access = await readKubeconfig(join(folder, '.kadmit', 'kubeconfig'));
    const path = '/api/v1/namespaces/default/pods';
    for (const [name, labels, team] of [
      ['plain', undefined, 'unknown'],
      ['labelled', { app: 'web' }, 'unknown'],
      ['owned', { team: 'red' }, 'red'],
    ] as const) {
      const pod = { metadata: { name, labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
      const body = JSON.stringify(pod);
      const { text } = await callServer(access, { method: 'POST', path, body, contentType: 'application/json' });
      expect(valueAt(objectIn(text), 'metadata', 'labels', 'team')).toBe(team);
    }
  });
});
