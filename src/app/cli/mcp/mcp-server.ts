import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolResult,
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { errorText } from '../../../machinery/errors.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { version, packageFile } from '../package-file.ts';
import type { McpSession } from './mcp-session.ts';
import { offlineTools } from './offline-tools.ts';
import { readTools } from './read-tools.ts';
import { argumentProblem, inputSchemaOf, type ToolAnswer } from './tool.ts';
import { writeTools } from './write-tools.ts';
import { readFileSync } from 'node:fs';
import { lintRules } from '../../../analysis/lint/finding.ts';
import { findingRules } from '../../../explain/findings/finding.ts';

export const tools = [...writeTools, ...readTools, ...offlineTools];

const instructions =
  'kadmit is a local Kubernetes API server for developing and testing admission webhooks and policies. Write objects with apply, ' +
  'declare webhooks with webhook_stub, and ask explain why a webhook was called or not. An error result says what to change; what ' +
  'could not be decided is an error, never a pass.';

/** A Model Context Protocol server with the tools of kadmit. */
export function createMcpServer(session: McpSession): Server {
  const server = new Server(
    { name: 'kadmit', version: version() },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: inputSchemaOf(tool) })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
    resultOf(await callTool(params.name, params.arguments ?? {}, session)),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources().map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: [readResource(params.uri)] }));
  return server;
}

async function callTool(name: string, args: unknown, session: McpSession): Promise<ToolAnswer> {
  const tool = tools.find((one) => one.name === name);
  const names = tools.map((one) => one.name);
  if (!tool) {
    const near = didYouMean(name, names) || `; the tools are ${names.join(', ')}`;
    return { text: `there is no tool ${JSON.stringify(name)}${near}`, isError: true };
  }
  const problem = argumentProblem(tool, args);
  if (problem !== '') return { text: problem, isError: true };
  try {
    return await tool.run(isJsonObject(args) ? args : {}, session);
  } catch (error) {
    const text = error instanceof ConfigError ? error.message : `${name}: ${errorText(error)}`;
    return { text, isError: true };
  }
}

/** Characters of an answer. */
const maxTextLength = 40_000;

/** Characters of a line of an error, which may repeat the arguments. */
const maxLineLength = 2_000;

const shortLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line))
    .join('\n');

function resultOf({ text: whole, data, isError }: ToolAnswer): CallToolResult {
  const text = isError === true ? shortLines(whole) : whole;
  const isCut = text.length > maxTextLength;
  const more = `\n… ${text.length - maxTextLength} more characters: ask for less, such as one request or one webhook`;
  const isSmall = data !== undefined && JSON.stringify(data).length <= maxTextLength;
  return {
    content: [{ type: 'text', text: isCut ? text.slice(0, maxTextLength) + more : text }],
    ...(isSmall ? { structuredContent: { ...data } } : {}),
    ...(isError === true ? { isError } : {}),
  };
}

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: () => string;
}

/** `files` of package.json lists these pages. */
const page = (name: string, description: string): Resource => ({
  uri: `kadmit://docs/${name}`,
  name,
  description,
  mimeType: 'text/markdown',
  read: () => readFileSync(packageFile(`docs/reference/${name}.md`), 'utf8'),
});

const json = (uri: string, name: string, description: string, read: () => string): Resource => ({
  uri,
  name,
  description,
  mimeType: 'application/json',
  read,
});

const resources = (): readonly Resource[] => [
  json('kadmit://schemas/scenario', 'scenario schema', 'JSON schema of a scenario.yaml', () =>
    readFileSync(packageFile('docs/reference/scenario.schema.json'), 'utf8'),
  ),
  json('kadmit://findings', 'findings', 'Codes of the findings of explain', () =>
    JSON.stringify(findingRules, null, 1),
  ),
  json('kadmit://lint-rules', 'lint rules', 'Codes of the rules of lint', () => JSON.stringify(lintRules, null, 1)),
  page('scenario-format', 'The format of scenarios, with examples'),
  page('findings', 'What each finding of explain means and how to fix it'),
  page('lint', 'What each rule of lint means and how to fix it'),
  page('explain', 'How to read an explanation'),
];

/** Throws ConfigError for an unknown URI. */
function readResource(uri: string): { readonly uri: string; readonly mimeType: string; readonly text: string } {
  const all = resources();
  const found = all.find((one) => one.uri === uri);
  if (!found)
    throw new ConfigError(
      `there is no resource ${JSON.stringify(uri)}; there is ${all.map((one) => one.uri).join(', ')}`,
    );
  return { uri, mimeType: found.mimeType, text: found.read() };
}
