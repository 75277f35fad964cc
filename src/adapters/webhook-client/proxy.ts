import { BlockList, isIP, type Socket } from 'node:net';
import { WebhookCallError } from './call-failure.ts';
import { hostPort, statusLineError } from './network-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * HTTPS_PROXY unless NO_PROXY matches the host; never for loopback addresses. Follows Go's
 * golang.org/x/net/http/httpproxy (rule HTTP-10).
 */
export function proxyFor(host: string, port: number, environment: Environment): URL | undefined {
  const text = environment['HTTPS_PROXY'] ?? environment['https_proxy'] ?? '';
  if (text === '' || isLocal(host)) return undefined;
  const exceptions = (environment['NO_PROXY'] ?? environment['no_proxy'] ?? '').split(',');
  if (exceptions.some((exception) => isMeant(exception.trim().toLowerCase(), host.toLowerCase(), port)))
    return undefined;
  const url = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(url) && new URL(url).protocol === 'http:' ? new URL(url) : undefined;
}

const isLocal = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** `*`, an address, a CIDR, or a domain with its subdomains; with a leading dot only the subdomains. */
function isMeant(exception: string, host: string, port: number): boolean {
  if (exception === '' || exception === '*') return exception === '*';
  if (exception.includes('/')) return isInNetwork(exception, host);
  const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(isIP(exception) === 6 ? '' : exception) ?? [];
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false;
  if (exception === host || name === host) return true;
  return isIP(host) === 0 && isBelow(name.replace(/^\*/, ''), host);
}

const isBelow = (domain: string, host: string): boolean =>
  domain !== '' && host.endsWith(domain.startsWith('.') ? domain : `.${domain}`);

function isInNetwork(network: string, host: string): boolean {
  const [address = '', length = ''] = network.split('/');
  if (isIP(host) === 0 || isIP(address) !== isIP(host) || !/^\d{1,3}$/.test(length)) return false;
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (Number(length) > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(length), family);
  return list.check(host, family);
}

/** Opens a CONNECT tunnel. Follows Go's net/http transport.go. */
export async function tunnel(
  socket: Socket,
  proxy: URL,
  target: { readonly host: string; readonly port: number },
): Promise<void> {
  const authority = hostPort(target.host, target.port);
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nUser-Agent: Go-http-client/1.1\r\n${login(proxy)}\r\n`,
  );
  const status = await connectAnswer(socket);
  const [code, ...words] = status.split(' ');
  if (code !== '200') throw new WebhookCallError('connect', words.join(' ') || 'unknown status code');
}

function login({ username, password }: URL): string {
  if (username === '') return '';
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Proxy-Authorization: Basic ${Buffer.from(text).toString('base64')}\r\n`;
}

/** Runs `prepare`; until then `pending` contains the socket, and a failure destroys it. */
export async function trackWhilePending(
  socket: Socket,
  pending: Set<Socket>,
  prepare: () => Promise<void>,
): Promise<Socket> {
  pending.add(socket);
  try {
    await prepare();
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  } finally {
    pending.delete(socket);
  }
}

const maxHeadLength = 1024 * 1024;

/**
 * The status of a proxy's response to CONNECT: `200 OK`. Rejects with Go's error for an invalid one. Follows Go's
 * net/http response.go ReadResponse.
 */
function connectAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    const done = (act: () => void): void => {
      socket.off('data', onData).off('close', onClose).off('error', onError);
      act();
    };
    const fail = (why: string): void => done(() => reject(new WebhookCallError('connect', why)));
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (/\n\r?\n/.test(head)) {
        const [line = ''] = head.split(/\r?\n/, 1);
        const error = statusLineError(line);
        if (error !== '') return fail(error);
        done(() => resolve(line.slice(line.indexOf(' ')).trimStart()));
      } else if (head.length > maxHeadLength) fail('the head has no end');
    };
    const onClose = (): void => fail('unexpected EOF');
    const onError = (error: Error): void => fail(error.message);
    socket.on('data', onData).on('close', onClose).on('error', onError);
  });
}
