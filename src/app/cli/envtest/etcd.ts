import { createServer, type RequestListener, type Server } from 'node:http';
import { errorText } from '../../../machinery/errors.ts';
import { untilInterrupted } from '../terminal/terminal.ts';
import { exitCodes, type Io } from '../terminal/io.ts';

const etcdDescription =
  "kadmit's stand-in for etcd: it answers health checks and keeps nothing; objects are in kadmit's memory";

/** Replaces etcd: responds to health checks and ignores flags about data. Follows etcd server/etcdserver/api/etcdhttp/health.go. */
export async function etcd(args: readonly string[], io: Io): Promise<number> {
  if (args.some((arg) => /^--?(?:help|h)$/.test(arg))) return printInfo(io, helpText);
  if (args.some((arg) => /^--?version$/.test(arg))) return printInfo(io, `etcd Version: none\n${etcdDescription}`);
  const urls = (readGoFlag('listen-client-urls', args) ?? 'http://localhost:2379').split(',');
  const wrong = urls.find((url) => !/^https?:\/\/[^/]+:\d+\/?$/.test(url) || !URL.canParse(url));
  if (wrong !== undefined)
    return failed(io, `etcd: --listen-client-urls ${JSON.stringify(wrong)} is not a URL with a port`);
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closeServer));
  };
  try {
    for (const url of urls) servers.push(await listen(new URL(url)));
  } catch (error) {
    await close();
    return failed(io, `etcd: ${errorText(error)}`);
  }
  io.error(`${etcdDescription}; at ${urls.join(', ')}`);
  await untilInterrupted(close);
  return exitCodes.fine;
}

const helpText = [
  etcdDescription,
  '',
  '  --listen-client-urls URL[,URL]',
  '        where to answer',
  '',
  'All other flags of etcd are taken and mean nothing.',
].join('\n');

/** Go's flag package: one dash or two, the value after an equals sign or as the next argument. */
function readGoFlag(name: string, args: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => [`-${name}`, `--${name}`].includes(arg.split('=', 1)[0] ?? ''));
  const arg = args[at] ?? '';
  return arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : args[at + 1 || args.length];
}

const listen = ({ hostname, port }: URL): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(handleRequest);
    server.once('error', reject);
    server.listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ''), () => resolve(server));
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const handleRequest: RequestListener = ({ url = '' }, response) => {
  const path = url.split('?', 1)[0] ?? '';
  const isHealth = ['/health', '/livez', '/readyz'].includes(path);
  const type = isHealth ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(isHealth || path === '/' ? 200 : 404, { 'content-type': type });
  response.end(isHealth ? '{"health":"true","reason":""}' : `${etcdDescription}\n`);
};

function printInfo(io: Io, text: string): number {
  io.out(text);
  return exitCodes.fine;
}

function failed(io: Io, line: string): number {
  io.error(line);
  return exitCodes.failed;
}
