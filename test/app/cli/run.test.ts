import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { CommandContext } from '../../../src/app/cli/command-context.ts';
import { commandNames, run } from '../../../src/app/cli/run.ts';
import { readYamlBody } from '../../../src/adapters/http/body-formats.ts';
import { ConfigError } from '../../../src/adapters/config/config-error.ts';
import type { RunningServer, ServerConfig } from '../../../src/adapters/config/server-config.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

const running: RunningServer = {
  url: 'https://127.0.0.1:1234',
  port: 1234,
  uiUrl: '',
  uiProblem: '',
  ownPlugins: [],
  caPem: 'THE CA',
  admin: { type: 'certificate', certificate: 'A CERTIFICATE', key: 'A KEY' },
  close: () => Promise.resolve(),
};

/** Runs the arguments with a server that starts as `startApiserver` says, and is stopped by Ctrl-C. */
async function runWith(
  args: readonly string[],
  startApiserver: CommandContext['startApiserver'] = () => Promise.resolve(running),
): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const io = {
    out: (text: string) => {
      out.push(text);
      if (text.includes('Ctrl-C')) setTimeout(() => process.emit('SIGINT'));
    },
    error: (text: string) => void error.push(text),
  };
  const parts: CommandContext = {
    startApiserver,
    startOwnServer: () => Promise.reject(new Error('no server')),
    runCommand: () => Promise.reject(new Error('no commands')),
    openTraces: () => Promise.resolve({ url: 'http://127.0.0.1:1/?token=t', close: () => Promise.resolve() }),
    createWorlds: () => Promise.reject(new Error('no scenarios')),
    readYaml: readYamlBody,
    runningPlugins: ({ plugin }) => Promise.resolve(['NamespaceLifecycle', ...plugin, 'ResourceQuota']),
    admissionPlugins: () =>
      Promise.resolve({
        inOrder: ['NamespaceLifecycle', 'AlwaysDeny', 'ResourceQuota'],
        byDefault: ['ResourceQuota', 'NamespaceLifecycle'],
      }),
  };
  const exitCode = await run(args, io, parts);
  return { exitCode, out: out.join('\n'), error: error.join('\n') };
}

const failing = (code: string, path?: string) => () =>
  Promise.reject(Object.assign(new Error(code), { code, ...(path === undefined ? {} : { path }) }));

// Messages about flags of serve are those of pflag, after the suggestion.
test.each(commandNames)('%s --hlep: --help is meant', async (name) => {
  const { exitCode, error, out } = await runWith([name, '--hlep']);
  expect([exitCode, `${out}${error}`]).toEqual([
    expect.any(Number),
    expect.stringMatching(/did you mean "?--help"?\?/),
  ]);
  expect(exitCode).toBeGreaterThan(0);
});

const lines: readonly [fact: string, args: readonly string[], ran: Partial<Ran> | object][] = [
  ['version', ['version'], { exitCode: 0, out: expect.stringMatching(/^kadmit \d+\.\d+\.\d+$/), error: '' }],
  ['--version', ['--version'], { exitCode: 0, out: expect.stringMatching(/^kadmit \d+\.\d+\.\d+$/), error: '' }],
  [
    '--help lists the commands by group',
    ['--help'],
    { exitCode: 0, out: expect.stringMatching(/Develop\n[^]*Explain\n {2}explain [^]*Server\n {2}serve /), error: '' },
  ],
  ['no command is bad usage', [], { exitCode: 2, out: '', error: expect.stringContaining('Usage: kadmit COMMAND') }],
  [
    'an unknown command',
    ['xyz'],
    { exitCode: 2, error: 'kadmit: unknown command "xyz"; kadmit --help lists the commands' },
  ],
  ['a mistyped one', ['sevre'], { exitCode: 2, error: 'kadmit: unknown command "sevre"; did you mean "serve"?' }],
  ['mistyped help', ['--hlep'], { exitCode: 2, error: 'kadmit: unknown command "--hlep"; did you mean "--help"?' }],
  ['help about one', ['help', 'cel'], { exitCode: 0, out: expect.stringContaining('Usage:\n  kadmit cel EXPRESSION') }],
  ['-v', ['-v'], { exitCode: 0, out: expect.stringMatching(/^kadmit \d/) }],
  ['a name every object has is no command', ['constructor'], { exitCode: 2 }],
  [
    'serve --help with flags about plugins says which run',
    ['serve', '--help', '--plugin', 'Mine'],
    { exitCode: 0, out: expect.stringMatching(/Run with these flags: NamespaceLifecycle, Mine, ResourceQuota\.$/) },
  ],
  [
    'serve --help without them does not',
    ['serve', '--help'],
    { exitCode: 0, out: expect.stringMatching(/^(?![^]*Run with these flags)/) },
  ],
  [
    'the help of a command',
    ['record', '--help'],
    { exitCode: 0, out: expect.stringContaining('kadmit record [FLAGS]') },
  ],
  [
    'record without a server',
    ['record', '--kubeconfig', '/no/such'],
    {
      exitCode: 2,
      error:
        'kadmit record: /no/such cannot be read; is kadmit serve running in this folder? --kubeconfig names another file',
    },
  ],
  [
    'a mistyped choice',
    ['requests', '--verb', 'crate'],
    {
      exitCode: 2,
      error:
        'kadmit requests: --verb "crate" is none of create, update, patch, delete, deletecollection, connect; did you mean "create"?',
    },
  ],
  [
    'a mistyped word of envtest',
    ['envtest', 'pth'],
    { exitCode: 2, error: 'kadmit envtest: unknown action "pth"; did you mean "path"?' },
  ],
  ['an unknown flag', ['serve', '--unheard-of'], { exitCode: 1, out: '', error: 'Error: unknown flag: --unheard-of' }],
  [
    'an argument too many',
    ['serve', 'now'],
    { exitCode: 2, error: 'kadmit serve: unexpected argument "now"; flags begin with --' },
  ],
  [
    'a command without --',
    ['dev', 'node', 'hook.mjs'],
    { exitCode: 2, error: expect.stringContaining('unexpected argument "node"; write the command after --') },
  ],
  [
    'an unknown plugin',
    ['serve', '--enable-admission-plugins', 'Nope'],
    { exitCode: 1, error: String.raw`"command failed" err="enable-admission-plugins plugin \"Nope\" is unknown"` },
  ],
  [
    'a plugin that shall run and not run',
    [
      'serve',
      '--enable-admission-plugins',
      'NamespaceLifecycle',
      '--disable-admission-plugins=NamespaceLifecycle,Nope',
    ],
    {
      exitCode: 1,
      error: String.raw`"command failed" err="[disable-admission-plugins plugin \"Nope\" is unknown, [NamespaceLifecycle] in enable-admission-plugins and disable-admission-plugins overlapped]"`,
    },
  ],
];

test('--help has at most 80 columns and an example for each group', async () => {
  const { out } = await runWith(['--help']);
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(out.match(/^ {2}Example: kadmit /gm)).toHaveLength(5);
});

test.each(lines)('%s', async (_fact, args, ran) => {
  expect(await runWith(args)).toMatchObject(ran);
});

test('serve --help names every flag and the plugins in the order they run', async () => {
  const { exitCode, out } = await runWith(['serve', '--help']);
  expect(exitCode).toBe(0);
  expect(out).toContain('--secure-port PORT');
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'in the order they run: NamespaceLifecycle, AlwaysDeny, ResourceQuota.',
  );
  expect(out.replaceAll(/\s+/g, ' ')).toContain('Run by default: NamespaceLifecycle, ResourceQuota.');
});

const refusals: readonly [fact: string, start: CommandContext['startApiserver'], error: string][] = [
  [
    'the port is taken',
    failing('EADDRINUSE'),
    'kadmit serve: 127.0.0.1:6443 is taken; stop what listens there or choose another --secure-port (0 picks a free one)',
  ],
  [
    'the port is reserved',
    failing('EACCES'),
    'kadmit serve: may not listen on 127.0.0.1:6443; choose a --secure-port from 1024 up',
  ],
  [
    'the address is another’s',
    failing('EADDRNOTAVAIL'),
    'kadmit serve: this machine has no address 127.0.0.1; choose another --bind-address',
  ],
  ['a folder may not be written', failing('EACCES', '/certs'), 'kadmit serve: cannot use /certs: permission denied'],
  [
    'a file makes no sense',
    () => Promise.reject(new ConfigError('tokens.csv:3: no user')),
    'kadmit serve: tokens.csv:3: no user',
  ],
];

test.each(refusals)('serve refuses %s', async (_fact, start, error) => {
  expect(await runWith(['serve'], start)).toEqual({ exitCode: 2, out: '', error });
});

test('a bug of ours is not hidden', async () => {
  await expect(runWith(['serve'], () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
});

test('serve writes a private kubeconfig, prints the next commands, and ends on Ctrl-C', async () => {
  const kubeconfig = join(folder, 'new', 'kubeconfig');
  const close = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const configs: ServerConfig[] = [];
  const ran = await runWith(['serve', '--write-kubeconfig', kubeconfig, '--secure-port=0'], (config) => {
    configs.push(config);
    return Promise.resolve({ ...running, close });
  });
  expect(ran).toMatchObject({ exitCode: 0, error: '' });
  expect(ran.out).toContain('is ready at https://127.0.0.1:1234');
  expect(ran.out).toContain(`export KUBECONFIG=${kubeconfig}`);
  expect(configs).toMatchObject([{ securePort: 0 }]);
  expect(close).toHaveBeenCalledOnce();
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
});

const addresses: readonly [fact: string, args: readonly string[], url: string][] = [
  ['the server’s', [], 'https://127.0.0.1:1234'],
  ['the name it was given', ['--external-hostname', 'kadmit.test'], 'https://kadmit.test:1234'],
  ['loopback when it listens everywhere', ['--bind-address', '0.0.0.0'], 'https://127.0.0.1:1234'],
];

test.each(addresses)('the address in the kubeconfig is %s', async (_fact, args, url) => {
  const kubeconfig = join(folder, 'addressed');
  const start = (): Promise<RunningServer> =>
    Promise.resolve(args.length > 0 ? { ...running, url: 'https://0.0.0.0:1234' } : running);
  const { out } = await runWith(['serve', '--write-kubeconfig', kubeconfig, ...args], start);
  expect(readFileSync(kubeconfig, 'utf8')).toContain(`server: "${url}"`);
  expect(out).toContain(`is ready at ${url}`);
});

const uiProblem = '127.0.0.1:6480, where the page would be, is taken; choose another --ui-port';

test('the page is named, with its token', async () => {
  const uiUrl = 'http://127.0.0.1:6480/?token=t';
  const { out } = await runWith(['serve', '--write-kubeconfig='], () => Promise.resolve({ ...running, uiUrl }));
  expect(out).toContain(`\nThe page: ${uiUrl}\n`);
});

test('a default page whose port is taken is reported, and the server runs', async () => {
  const ran = await runWith(['serve', '--write-kubeconfig='], () => Promise.resolve({ ...running, uiProblem }));
  expect(ran).toMatchObject({ exitCode: 0, error: `kadmit serve: ${uiProblem}; running without the page` });
  expect(ran.out).not.toContain('The page');
});

test('a page of --ui-port whose port is taken is an error', async () => {
  const close = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const start = () => Promise.resolve({ ...running, uiProblem, close });
  expect(await runWith(['serve', '--write-kubeconfig=', '--ui-port', '6480'], start)).toEqual({
    exitCode: 2,
    out: '',
    error: `kadmit serve: ${uiProblem}`,
  });
  expect(close).toHaveBeenCalledOnce();
});
