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
import { version } from '../package-file.ts';
import type { McpSession } from './mcp-session.ts';
import { offlineTools } from './offline-tools.ts';
import { readResource, resources } from './resources.ts';
import { readTools } from './read-tools.ts';
import { argumentProblem, inputSchemaOf, type ToolAnswer } from './tool.ts';
import { writeTools } from './write-tools.ts';

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
