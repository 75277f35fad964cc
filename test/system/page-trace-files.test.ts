import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../src/app/cli/run.ts';
import { openTraces } from '../../src/adapters/http/page/page-server.ts';
import { readTraceFile } from '../../src/adapters/traces/trace-file.ts';
import { type PageWorld, secretText, startPageWorld } from '../harness/page-world.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

let world: PageWorld;
const folder = temporaryFolder();
let kubeconfig: string;
beforeAll(async () => {
  world = await startPageWorld();
  kubeconfig = join(folder, 'kubeconfig');
  const { url, caPem, token } = world.server;
  const config = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [
      { name: 'k', cluster: { server: url, 'certificate-authority-data': Buffer.from(caPem).toString('base64') } },
    ],
    users: [{ name: 'u', user: { token } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
});
afterAll(() => world.close());

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `kadmit trace …`; `onLine` receives each line, and may interrupt. */
async function trace(args: readonly string[], onLine: (text: string) => void = () => {}): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const io = {
    out: (text: string) => {
      out.push(text);
      onLine(text);
    },
    error: (text: string) => void error.push(text),
  };
  const missing = (): never => {
    throw new Error('trace needs no other part');
  };
  const parts = {
    startApiserver: missing,
    readYaml: missing,
    admissionPlugins: missing,
    openTraces,
  };
  const code = await run(['trace', ...args], io, parts as unknown as Parameters<typeof run>[2]);
  return { code, out: out.join('\n'), error: error.join('\n') };
}

const file = (name: string): string => join(folder, name);

function tracesIn(name: string) {
  const reading = readTraceFile(readFileSync(file(name), 'utf8'));
  if (reading.outcome === 'unreadable') throw new Error(reading.problem);
  return reading.traces;
}

test('export writes the last request, masked, for its owner only', async () => {
  const { code, out } = await trace(['export', '--kubeconfig', kubeconfig, '--out', file('last.html')]);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/last\.html: 1 trace, \d+ KiB, values of Secrets are masked; open it in any browser$/),
  ]);
  expect(tracesIn('last.html').map(({ request }) => request.name)).toEqual(['db']);
  const text = readFileSync(file('last.html'), 'utf8');
  expect(text).not.toContain(secretText);
  expect(text).not.toContain(Buffer.from(secretText).toString('base64'));
  expect(statSync(file('last.html')).mode & 0o777).toBe(0o600);
});

test('--show-secrets leaves Secrets as they are', async () => {
  await trace(['export', 'last', `--kubeconfig=${kubeconfig}`, `--out=${file('shown.html')}`, '--show-secrets']);
  expect(readFileSync(file('shown.html'), 'utf8')).toContain(secretText);
});

// The first one is the server's own: the ConfigMap extension-apiserver-authentication.
test('export all has every request, oldest first; a request can be named', async () => {
  expect((await trace(['export', 'all', '--kubeconfig', kubeconfig, '--out', file('all.html')])).out).toMatch(
    /9 traces/,
  );
  const traces = tracesIn('all.html');
  expect(traces.map(({ request }) => request.resource)).toMatchObject({
    0: 'configmaps',
    1: 'namespaces',
    8: 'secrets',
  });
  const id = traces[6]?.id ?? '';
  await trace(['export', id, '--kubeconfig', kubeconfig, '--out', file('one.html')]);
  expect(tracesIn('one.html').map((one) => one.id)).toEqual([id]);
});

test('-o - writes to standard output', async () => {
  expect((await trace(['export', '--kubeconfig', kubeconfig, '--out', '-'])).out).toMatch(/^<!doctype html>/);
});

test('open serves the file until it is interrupted', async () => {
  await trace(['export', 'all', '--kubeconfig', kubeconfig, '--out', file('open.html')]);
  let listed: Promise<unknown> = Promise.resolve();
  const { code, out } = await trace(['open', file('open.html')], (text) => {
    const url = new URL(/http\S+/.exec(text)?.[0] ?? '');
    listed = fetch(`${url.origin}/kadmit/v1/traces${url.search}`)
      .then((answer) => answer.json())
      .finally(() => process.emit('SIGINT'));
  });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^9 traces of .*open\.html: http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}\n\nCtrl-C ends it\.$/,
    ),
  ]);
  expect(await listed).toMatchObject({ items: { length: 9 } });
});

test('export all has more requests than one page of the server', async () => {
  const configMaps = '/api/v1/namespaces/shop/configmaps';
  for (let at = 0; at < 205; at += 1) await world.send('POST', configMaps, { metadata: { name: `n${at}` } });
  await trace(['export', 'all', '--kubeconfig', kubeconfig, '--out', file('many.html')]);
  const names = tracesIn('many.html').map(({ request }) => request.name);
  expect(names.slice(-205)).toEqual(Array.from({ length: 205 }, (_, at) => `n${at}`));
  expect(names).toHaveLength(214);
});

const wrong: readonly [fact: string, args: () => readonly string[], error: RegExp][] = [
  ['no action', () => [], /^kadmit trace: export or open is required$/],
  ['another action', () => ['exprot'], /^kadmit trace: unknown action "exprot"; did you mean "export"\?$/],
  ['an unknown request', () => ['export', 'unknown', '--kubeconfig', kubeconfig], /no trace "unknown"/],
  ['no kubeconfig', () => ['export', '--kubeconfig', file('none')], /none cannot be read; is kadmit serve running/],
  [
    'a folder without write permission',
    () => ['export', '--kubeconfig', kubeconfig, '--out', file('no/such/folder')],
    /cannot be written: ENOENT/,
  ],
  ['two requests', () => ['export', 'a', 'b'], /^kadmit trace: unexpected argument "b"$/],
  ['an unknown flag', () => ['open', 'x', '--prot', '1'], /^kadmit trace: unknown flag --prot/],
  ['no file', () => ['open'], /^kadmit trace: FILE is required$/],
  ['a file that is not there', () => ['open', file('none.html')], /none\.html cannot be read: ENOENT/],
  [
    'a file of something else',
    () => ['open', kubeconfig],
    /kubeconfig contains something other than traces: traceVersion is missing$/,
  ],
];

test.each(wrong)('%s is bad usage, reported in one line', async (_fact, args, error) => {
  const ran = await trace(args());
  expect(ran).toMatchObject({ code: 2, out: '', error: expect.stringMatching(error) });
  expect(ran.error.split('\n')).toHaveLength(1);
});

test('--help describes both', async () => {
  const { code, out } = await trace(['export', '--help']);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/Usage:\n {2}kadmit trace export \[ID\|last\|all\].*kadmit trace open FILE/s),
  ]);
});
