import { kubernetesVersionFlag, repeatedFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { type Command, defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { exitCodes, type Io } from '../terminal/io.ts';
import { createMcpSession, type McpSession } from './mcp-session.ts';

const flags = {
  kubeconfig: textFlag('kubeconfig', 'FILE', 'work on this running kadmit; default: a server in this process'),
  load: repeatedFlag('load', 'PATH', 'files and folders to store in the server of this process'),
  kubernetesVersion: kubernetesVersionFlag,
};

/** `kadmit mcp`: the tools of kadmit for coding agents, over standard input and output. */
export const mcpCommand: Command = defineCommand({
  name: 'mcp',
  group: 'Develop',
  synopsis: ['[--load PATH] [FLAGS]', '--kubeconfig FILE'],
  purpose: 'serve the Model Context Protocol for coding agents',
  details: [
    'Reads requests from standard input and writes responses to standard output. The tools write objects, explain requests, ' +
      'declare stub webhooks, evaluate CEL, lint, and run scenarios; docs/reference/mcp.md describes them.',
  ],
  flags,
  examples: ['mcp --load config/', 'mcp --kubeconfig .kadmit/kubeconfig'],
  run: async ({ options: { kubeconfig, load, kubernetesVersion } }, io, context: CommandContext) => {
    if (kubeconfig !== '' && (load.length > 0 || kubernetesVersion !== ''))
      throw new ConfigError(
        '--load and --kubernetes-version are for the server of this process: leave out --kubeconfig',
      );
    // Standard output is for the protocol: what scripts print goes to standard error.
    console.log = console.error;
    const session = await openSession({ kubeconfig, load, kubernetesVersion }, io, context);
    try {
      await serve(session, io);
    } finally {
      await session.close();
    }
    return exitCodes.fine;
  },
});

async function openSession(
  {
    kubeconfig,
    load,
    kubernetesVersion,
  }: Readonly<Record<'kubeconfig' | 'kubernetesVersion', string>> & { readonly load: readonly string[] },
  io: Io,
  context: CommandContext,
): Promise<McpSession> {
  const runCommand: McpSession['runCommand'] = async (args) => {
    const out: string[] = [];
    const error: string[] = [];
    let document: unknown;
    const exitCode = await context.runCommand(args, {
      out: (text) => void out.push(text),
      error: (text) => void error.push(text),
      document: (printed) => void (document = printed),
    });
    return { exitCode, out: out.join('\n'), error: error.join('\n'), document };
  };
  const { readYaml } = context;
  if (kubeconfig !== '') {
    await readKubeconfig(kubeconfig);
    return createMcpSession({ kubeconfig, runCommand, readYaml });
  }
  const ownServer = await context.startOwnServer({ load, kubernetesVersion });
  io.error(`kadmit mcp: kubectl --kubeconfig ${ownServer.kubeconfigPath} uses the same server`);
  return createMcpSession({ kubeconfig: ownServer.kubeconfigPath, ownServer, runCommand, readYaml });
}

/** Of one message; a longer one ends the connection. */
const maxBytes = 32 * 1024 * 1024;

/** Until standard input ends, or Ctrl-C. */
async function serve(session: McpSession, io: Io): Promise<void> {
  const [{ StdioServerTransport }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('./mcp-server.ts'),
  ]);
  const server = createMcpServer(session);
  server.onerror = ({ message }) => io.error(`kadmit mcp: ${message}`);
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: maxBytes }));
  await ended;
  await server.close();
}
