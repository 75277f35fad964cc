import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The package as somebody who installed it has it: dist, types and package.json in their node_modules.

const run = promisify(execFile);
let root = '';
let consumer = '';

const node = async (...args: readonly string[]): Promise<string> => {
  try {
    return (await run(process.execPath, [...args], { cwd: consumer, timeout: 30_000 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`node ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
};
const tool = (path: string): string => join(root, 'node_modules', path);

/** The programs of the page, by the line where each begins. */
const examples = [...readFileSync('docs/reference/library.md', 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  (match) => ({
    line: match.input.slice(0, match.index).split('\n').length,
    text: match[1] ?? '',
  }),
);
const nameOf = ({ line }: { readonly line: number }): string => `line-${line}`;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'kadmit-package-'));
  consumer = join(root, 'consumer');
  const installed = join(consumer, 'node_modules/kadmit');
  mkdirSync(installed, { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  cpSync('package.json', join(installed, 'package.json'));
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
  cpSync('dist', join(installed, 'dist'), { recursive: true });
  await run(process.execPath, ['test/tools/build-types.mjs', join(installed, 'dist')]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const strict =
  '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target es2023 --module nodenext --types node';

const compile = (...args: readonly string[]): Promise<string> =>
  node(tool('typescript/bin/tsc'), ...strict.split(' '), '--typeRoots', tool('@types'), ...args);

const write = (name: string, text: string): void => writeFileSync(join(consumer, name), text);

/** Runs these tests with vitest; says how that went as JSON. */
async function vitest(file: string): Promise<string> {
  const config = `${file}.config.js`;
  write(config, `export default { test: { include: ['${file}'] } };\n`);
  return node(tool('vitest/vitest.mjs'), 'run', '--reporter=json', '--config', config);
}

const pod = `const pod = (name: string, image = 'nginx') => ({
  apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image }] },
});`;

const options = `{ type: 'validating', rules: [{ operations: ['CREATE'], resources: ['pods'] }] } as const`;

test('a program in strict TypeScript compiles, runs and ends by itself', async () => {
  write(
    'program.ts',
    `import { ApiError, createWorld, explain, startKadmit } from 'kadmit';
import type { Client, WebhookFunction } from 'kadmit';
interface Pod {
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly containers: readonly { readonly image?: string }[] };
  readonly status?: { readonly phase?: string };
}
${pod}
const noLatest: WebhookFunction = ({ request }) => {
  const spec = request.object?.['spec'] as Pod['spec'];
  const allowed = !spec?.containers.some(({ image }) => image?.endsWith(':latest'));
  return { allowed, status: { message: 'no latest' } };
};
async function attempt(client: Client): Promise<string> {
  const made = await client.create(pod('good'));
  const uid: string = made.metadata.uid;
  const image: string | undefined = made.spec.containers[0]?.image;
  const read = await client.get<Pod>('pods', { name: 'good' });
  const phase: string | undefined = read.status?.phase;
  try {
    await client.create(pod('bad', 'nginx:latest'));
    return 'admitted';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const lines = error.trace ? explain(error.trace).split('\\n').length : 0;
    return [uid.length, image, phase, error.code, error.message, lines > 2].join();
  }
}
const kadmit = await startKadmit();
await kadmit.webhook('latest.example.com', ${options}, noLatest);
console.log(await attempt(kadmit.client));
await kadmit.close();
const world = await createWorld({ controllers: ['*'] });
await world.webhook('latest.example.com', ${options}, noLatest);
console.log(await attempt(world.client));
await world.advance(1000);
await world.close();
// @ts-expect-error A webhook needs its rules.
const wrong = () => world.webhook('x.example.com', { type: 'mutating' }, noLatest);
const left = process.getActiveResourcesInfo().filter((name) => !/Pipe|TTY|TickObject|Immediate/.test(name));
console.log(JSON.stringify(left), typeof wrong);
`,
  );
  await compile('program.ts');
  const refusal = '36,nginx,Pending,400,admission webhook "latest.example.com" denied the request: no latest,true';
  expect((await node('program.js')).trim().split('\n')).toEqual([refusal, refusal, '[] function']);
});

const suite = `import { createWorld, startKadmit } from 'kadmit';
${pod.replace('name: string', 'name')}
for (const [name, start] of Object.entries({ createWorld, startKadmit })) {
  test('a webhook denies, with ' + name, async () => {
    const cluster = await start();
    await cluster.webhook('no.example.com', ${options.replace(' as const', '')}, () => ({ allowed: false }));
    await cluster.client.create(pod('a')).then(() => { throw new Error('admitted'); }, ({ code }) => {
      if (code !== 400) throw new Error('code ' + code);
    });
    if (cluster.traces.last().called.join() !== 'no.example.com') throw new Error('not called');
    await cluster.close();
  });
}
`;

test('a program that ends without closing leaves no keys behind', async () => {
  write(
    'forgetful.js',
    `import { startKadmit } from 'kadmit';
const { kubeconfigPath } = await startKadmit();
console.log(kubeconfigPath);
process.exit();
`,
  );
  const kubeconfig = (await node('forgetful.js')).trim();
  expect([kubeconfig, existsSync(kubeconfig)]).toEqual([expect.stringMatching(/kubeconfig$/), false]);
});

test('it runs under node:test', async () => {
  write('suite.test.js', `import test from 'node:test';\n${suite}`);
  expect(await node('--test', '--test-reporter=tap', 'suite.test.js')).toContain('# pass 2');
});

test('it runs under vitest', async () => {
  write('suite.vitest.js', `import { test } from 'vitest';\n${suite}`);
  expect(await vitest('suite.vitest.js')).toContain('"numPassedTests":2');
});

test('the examples of docs/reference/library.md compile', async () => {
  for (const example of examples) write(`${nameOf(example)}.ts`, example.text);
  // The declarations of vitest want a browser's.
  expect(await compile('--skipLibCheck', ...examples.map((example) => `${nameOf(example)}.ts`))).toBe('');
});

test.each(examples)('the example in line $line of docs/reference/library.md does what it says', async (example) => {
  const file = `${nameOf(example)}.js`;
  const isForVitest = example.text.includes("from 'vitest'");
  await expect(isForVitest ? vitest(file) : node(file)).resolves.toEqual(expect.any(String));
});

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Readonly<Record<string, string>>>;

/** The packages that the bundle imports at run time. */
function importedPackages(): ReadonlySet<string> {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => file.endsWith('.js')).map((file) => readFileSync(join('dist', file), 'utf8'));
  const specifiers = texts.flatMap((text) =>
    [...text.matchAll(/^(?:import|export)\b[^'"\n]*["']([^'"]+)["'];$|\bimport\("([^"]+)"\)/gm)].map(
      (match) => match[1] ?? match[2] ?? '',
    ),
  );
  return new Set(specifiers.filter((one) => !/^[./]/.test(one) && !isBuiltin(one)));
}

test('the bundle needs no package but the native ones', () => {
  expect([...importedPackages()].sort()).toEqual(['classic-level', 'oxc-transform']);
  expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(['oxc-transform']);
  expect(Object.keys(manifest['peerDependencies'] ?? {})).toEqual(['classic-level']);
});

test('the tarball has the program and its schemas in less than 4.5 MB', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { maxBuffer: 10 ** 7 });
  const [packed] = JSON.parse(stdout) as [{ size: number; files: { path: string }[] }];
  expect(packed.size).toBeLessThan(4_500_000);
  const others = packed.files.map(({ path }) => path).filter((path) => !/^dist\/|\.schema\.json$/.test(path));
  expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
});
