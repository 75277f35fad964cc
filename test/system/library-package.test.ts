import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  cpSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The package as users have it: packed, and installed from the tarball into a project without a network.

const run = promisify(execFile);
let root = '';
let consumer = '';
let packed: Packed | undefined;
/** What `npm install` wrote. */
let installation = '';

const node = async (...args: readonly string[]): Promise<string> => {
  try {
    return (await run(process.execPath, [...args], { cwd: consumer, timeout: 60_000 })).stdout;
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
  mkdirSync(consumer);
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
  packed = await pack(root);
  const installing = await run('npm', ['install', '--offline', join(root, packed.filename)], { cwd: consumer });
  installation = installing.stdout + installing.stderr;
}, 300_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const strict = '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target es2023 --types node';

const check = (...args: readonly string[]): Promise<string> =>
  node(tool('typescript/bin/tsc'), ...strict.split(' '), '--typeRoots', tool('@types'), ...args);
const compile = (...args: readonly string[]): Promise<string> => check('--module', 'nodenext', ...args);

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

test.each(['--module node16 --moduleResolution node16', '--module esnext --moduleResolution bundler'])(
  'the types are complete with %s',
  async (resolution) => {
    const text = "import { createWorld } from 'kadmit';\nexport const code: string = createWorld();\n";
    write('typed.ts', text);
    await expect(check('--noEmit', ...resolution.split(' '), 'typed.ts')).rejects.toThrow(
      /typed\.ts\(2,14\): error TS2322: Type 'Promise<World>' is not assignable to type 'string'\.\s*$/,
    );
  },
);

test('the stack trace of an error names source file and line', async () => {
  write(
    'trace.js',
    `import { createWorld } from 'kadmit';
await createWorld({ controllers: ['no-such-controller'] }).catch((error) => console.log(error.stack));
`,
  );
  expect(await node('--enable-source-maps', 'trace.js')).toMatch(/\/src\/app\/compose\/controllers\.ts:\d+:\d+/);
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

/** The packages that the bundle imports at run time. */
function importedPackages(): ReadonlySet<string> {
  const dist = join(consumer, 'node_modules/kadmit/dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => file.endsWith('.js')).map((file) => readFileSync(join(dist, file), 'utf8'));
  const specifiers = texts.flatMap((text) =>
    [...text.matchAll(/^(?:import|export)\b[^'"\n]*["']([^'"]+)["'];$|\bimport\("([^"]+)"\)/gm)].map(
      (match) => match[1] ?? match[2] ?? '',
    ),
  );
  return new Set(specifiers.filter((one) => !/^[./]/.test(one) && !isBuiltin(one)));
}

test('the bundle needs no package but the binding of LevelDB, which only --data-dir needs', () => {
  expect([...importedPackages()]).toEqual(['classic-level']);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<Record<string, unknown>>;
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  expect({ dependencies, peerDependencies, peerDependenciesMeta }).toEqual({
    dependencies: undefined,
    peerDependencies: { 'classic-level': expect.any(String) },
    peerDependenciesMeta: { 'classic-level': { optional: true } },
  });
});

test('installing the package installs one package of less than 20 MB, without a warning', () => {
  expect(installation.trim().replace(/ in \d+\w+$/, '')).toBe('added 1 package');
  const folder = join(consumer, 'node_modules');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const bytes = files.map((file) => statSync(join(folder, file))).reduce((sum, { size }) => sum + size, 0);
  expect(bytes).toBeLessThan(20_000_000);
});

/** Pages that `kadmit mcp` has as resources. */
const resourcePages = ['explain', 'findings', 'lint', 'scenario-format'].map((name) => `docs/reference/${name}.md`);

test('the tarball has the program, types, schemas and licences in less than 3 MB', () => {
  expect(packed?.size).toBeLessThan(3_000_000);
  const paths = packed?.files.map(({ path }) => path) ?? [];
  const others = paths.filter(
    (path) => !/^dist\/(?:chunks|cel|envtest|page|types)\/|^dist\/[\w-]+\.js(?:\.map)?$/.test(path),
  );
  expect(others.sort()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/LICENSES',
      ...readdirSync('docs/reference').flatMap((name) =>
        name.endsWith('.schema.json') ? `docs/reference/${name}` : [],
      ),
      'package.json',
      ...resourcePages,
    ].sort(),
  );
});

test('npx kadmit --version takes less than a second of processor time', async () => {
  const { stdout } = await run('bash', ['-c', 'npx kadmit --version; times'], { cwd: consumer });
  const [version, , children = ''] = stdout.split('\n');
  expect(version).toMatch(/^kadmit \d+\.\d+\.\d+$/);
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  );
  expect(seconds.reduce((sum, one) => sum + one, 0)).toBeLessThan(1);
});

const kadmit = (...args: readonly string[]): Promise<string> => node('node_modules/kadmit/dist/main.js', ...args);

test('the installed program runs a script in TypeScript and writes a JUnit report', async () => {
  write(
    'deny.ts',
    'enum Text { No = "not today" }\nexport default (_: object) => ({ allowed: false, status: { message: Text.No } });\n',
  );
  write(
    'scenario.yaml',
    `name: a script in TypeScript
webhooks: [{ name: deny.example.com, type: validating, rules: CREATE configmaps, does: { script: ./deny.ts } }]
steps:
  - create: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }
    expect: { deniedBy: deny.example.com, message: /not today/ }
`,
  );
  const args = ['node_modules/kadmit/dist/main.js', 'test', 'scenario.yaml', '--report', 'junit'];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: consumer });
  expect(stderr).toBe('');
  expect(stdout).toContain('<testsuites name="kadmit" tests="1" failures="0" errors="0"');
});

test('the installed program reads the kubeconfig of another cluster, with the plugin that it names', async () => {
  write('plugin.mjs', `console.log(JSON.stringify({ kind: 'ExecCredential', status: { token: 't' } }));`);
  write(
    'kubeconfig.yaml',
    `current-context: c
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
contexts: [{ name: c, context: { cluster: c, user: u } }]
users: [{ name: u, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: node, args: [plugin.mjs] } } }]
`,
  );
  await expect(kadmit('requests', '--kubeconfig', 'kubeconfig.yaml')).rejects.toThrow(/127\.0\.0\.1:1\b.*ECONNREFUSED/);
});

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Writes the tarball into `folder`, as `npm pack` does, but apart from `dist/`, which other tests use. */
async function pack(folder: string): Promise<Packed> {
  const copy = join(folder, 'copy');
  for (const path of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'docs/reference']) {
    cpSync(path, join(copy, path), { recursive: true });
  }
  await run(process.execPath, ['test/tools/build.mjs', join(copy, 'dist'), '--package']);
  await run(process.execPath, ['test/tools/build-types.mjs', join(copy, 'dist')]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: copy, maxBuffer: 10 ** 7 });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}
