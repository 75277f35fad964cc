import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** 0-based, as in the Language Server Protocol. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Position };
}

/** The server behind the YAML extension of VS Code and other editors. */
export interface YamlLanguageServer {
  /** Opens a document with this text, and resolves with the problems that an editor underlines. */
  readonly open: (path: string, text: string) => Promise<readonly Diagnostic[]>;
  /** '' for none. */
  readonly hover: (path: string, at: Position) => Promise<string>;
  readonly complete: (path: string, at: Position) => Promise<readonly string[]>;
  readonly close: () => void;
}

/** YAML_LANGUAGE_SERVER, or the program of this name on the PATH. */
export function findYamlLanguageServer(): string | undefined {
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

export async function startYamlLanguageServer(program: string): Promise<YamlLanguageServer> {
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
