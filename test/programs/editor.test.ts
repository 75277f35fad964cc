import { readFileSync, accessSync, constants } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findScenarios } from '../../src/testing/scenario/load-scenario.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

// What VS Code and other editors show of scenarios: the language server of the YAML extension, with the published schema.
const program = findYamlLanguageServer();

const schema = '# yaml-language-server: $schema=../docs/reference/scenario.schema.json\n';
let count = 0;

describe.skipIf(program === undefined)('scenarios in an editor', () => {
  let server: YamlLanguageServer;
  beforeAll(async () => {
    server = await startYamlLanguageServer(program ?? '');
  });
  afterAll(() => server.close());

  test.each(scenarioFiles())('nothing is underlined in %s', async (file) => {
    const problems = await server.open(file, readFileSync(file, 'utf8'));
    expect(problems.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  });

  /** Opens a scenario; `¦` is the cursor. */
  async function openAt(marked: string) {
    const text = schema + marked;
    const before = text.slice(0, text.indexOf('¦')).split('\n');
    const path = `scenarios/unsaved-${(count += 1)}.yaml`;
    const problems = await server.open(path, text.replace('¦', ''));
    return { path, problems, at: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
  }

  test.each([
    ['an unknown field', 'steps: [{ creat: pod.yaml }]', 'Property creat is not allowed.'],
    [
      'a value that is none of those',
      'clock: fast\nsteps: [{ get: pod/a }]',
      'Value is not accepted. Valid values: "virtual", "real".',
    ],
    ['no steps', 'name: x', 'Missing property "steps".'],
    ['a time without a unit', 'steps: [{ advance: "5" }]', 'must be a time with its unit, such as 5s, 250ms or 1m30s'],
    [
      'a selector with an unknown field',
      'webhooks: [{ name: a, objectSelector: { labels: {} } }]\nsteps: [{ get: pod/a }]',
      'Property labels is not allowed.',
    ],
    [
      'merge without patch',
      'steps: [{ get: pod/a, merge: {} }]',
      'Object is missing property patch required by property merge.',
    ],
  ])('%s is underlined', async (_what, text, message) => {
    const { problems } = await openAt(`${text}¦`);
    expect(problems.map((one) => one.message)).toEqual([message]);
  });

  test.each([
    ['ste¦ps: [{ get: pod/a }]', 'The steps, in order'],
    ['steps:\n  - cre¦ate: pod.yaml', 'Creates an object: a file'],
    ['steps:\n  - create: pod.yaml\n    expect:\n      denied¦By: a', 'that denied the request'],
    [
      'steps:\n  - create: pod.yaml\n    expect:\n      webhooks:\n        a: { skip¦ped: exempt }',
      'The webhook was not called',
    ],
    ['webhooks:\n  - name: a\n    faults:\n      - status: { bo¦dy: x, code: 503 }', 'The body of the response.'],
    [
      'webhooks:\n  - name: a\n    namespaceSelector: { match¦Labels: { a: b } }',
      'Labels that must all have these values',
    ],
    ['webhooks:\n  - name: a\n    does:\n      patch: [{ op: add, pa¦th: /a, value: 1 }]', 'A JSON Pointer'],
  ])('hover at %j', async (text, shown) => {
    const { path, at } = await openAt(text);
    expect(await server.hover(path, at)).toContain(shown);
  });

  test.each([
    ['¦', ['steps', 'webhooks', 'load', 'server', 'matrix']],
    ['steps:\n  - ¦', ['create', 'patch', 'expect', 'as']],
    ['clock: ¦', ['virtual', 'real']],
    ['steps:\n  - create: a.yaml\n    expect:\n      ¦', ['outcome', 'deniedBy', 'message', 'webhooks']],
    ['steps:\n  - create: a.yaml\n    expect: ¦', ['admitted', 'refused']],
    ['webhooks:\n  - name: a\n    failurePolicy: ¦', ['Fail', 'Ignore']],
    ['webhooks:\n  - name: a\n    does: ¦', ['allow', 'deny', 'echo']],
    ['webhooks:\n  - name: a\n    faults: ¦', ['hang', 'refuse']],
    ['webhooks:\n  - name: a\n    objectSelector:\n      ¦', ['matchLabels', 'matchExpressions']],
    ['steps:\n  - create: a.yaml\n    expect:\n      webhooks:\n        a: ¦', ['called', 'skipped']],
  ])('completion at %j', async (text, labels) => {
    const { path, at } = await openAt(text);
    expect(await server.complete(path, at)).toEqual(expect.arrayContaining(labels));
  });
});

function scenarioFiles(): readonly string[] {
  const found = findScenarios(['scenarios']);
  return found.outcome === 'found' ? found.files : [];
}

/** 0-based, as in the Language Server Protocol. */
interface Position {
  readonly line: number;
  readonly character: number;
}

interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Position };
}

/** The server behind the YAML extension of VS Code and other editors. */
interface YamlLanguageServer {
  /** Opens a document with this text, and resolves with the problems that an editor underlines. */
  readonly open: (path: string, text: string) => Promise<readonly Diagnostic[]>;
  /** '' for none. */
  readonly hover: (path: string, at: Position) => Promise<string>;
  readonly complete: (path: string, at: Position) => Promise<readonly string[]>;
  readonly close: () => void;
}

/** YAML_LANGUAGE_SERVER, or the program of this name on the PATH. */
function findYamlLanguageServer(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'yaml-language-server'));
  return [process.env['YAML_LANGUAGE_SERVER'] ?? '', ...onPath].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}

type Message = Readonly<Record<string, unknown>>;

async function startYamlLanguageServer(program: string): Promise<YamlLanguageServer> {
  const child = spawn(program, ['--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const replies = new Map<number, (result: unknown) => void>();
  const diagnosed = new Map<string, (diagnostics: readonly Diagnostic[]) => void>();
  let sent = 0;
  const send = (message: Message): void => write(child, { jsonrpc: '2.0', ...message });
  const call = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      sent += 1;
      replies.set(sent, resolve);
      send({ id: sent, method, params });
    });
  onMessage(child, ({ id, method, params, result }) => {
    if (method === undefined && typeof id === 'number') return replies.get(id)?.(result);
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Diagnostic[] };
      return diagnosed.get(uri)?.(diagnostics);
    }
    // The settings of an editor: an answer for each section that the server requests.
    if (method === 'workspace/configuration') {
      const { items } = params as { items: readonly { section: string }[] };
      send({ id, result: items.map(({ section }) => (section === 'yaml' ? settings : {})) });
    } else if (id !== undefined) send({ id, result: null });
    return undefined;
  });
  await call('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(process.cwd()).href,
    capabilities: {
      workspace: { configuration: true },
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        completion: { completionItem: { snippetSupport: true } },
      },
    },
  });
  send({ method: 'initialized', params: {} });
  send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml: settings } } });
  const at = (path: string, position: Position): object => ({ textDocument: { uri: uriOf(path) }, position });
  return {
    open: (path, text) =>
      new Promise((resolve) => {
        const uri = uriOf(path);
        diagnosed.set(uri, resolve);
        send({
          method: 'textDocument/didOpen',
          params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
        });
      }),
    hover: async (path, position) => {
      const result = (await call('textDocument/hover', at(path, position))) as Hover | null;
      return result?.contents.value ?? '';
    },
    complete: async (path, position) => {
      const result = (await call('textDocument/completion', at(path, position))) as Completion | null;
      return (result?.items ?? []).map(({ label }) => label);
    },
    close: () => void child.kill(),
  };
}

interface Hover {
  readonly contents: { readonly value: string };
}

interface Completion {
  readonly items: readonly { readonly label: string }[];
}

const settings = { validate: true, hover: true, completion: true, schemaStore: { enable: false }, yamlVersion: '1.2' };

const uriOf = (path: string): string => pathToFileURL(path).href;

function write({ stdin }: ChildProcess, message: Message): void {
  const body = JSON.stringify(message);
  stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Messages are framed by headers, as in HTTP. */
function onMessage({ stdout }: ChildProcess, listener: (message: Message) => void): void {
  let rest = Buffer.alloc(0);
  stdout?.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      const length = /Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(end, 0)).toString())?.[1];
      if (length === undefined || rest.length < end + 4 + Number(length)) return;
      const body = rest.subarray(end + 4, end + 4 + Number(length)).toString();
      rest = rest.subarray(end + 4 + Number(length));
      listener(JSON.parse(body) as Message);
    }
  });
}
