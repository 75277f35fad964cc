import { get } from 'node:http';

const patienceMs = 3000;
const longestAnswer = 1000;

/**
 * Does a real etcd answer there? Whoever launches kube-apiserver for tests launches an etcd too, mostly kadmit's stand-in,
 * which keeps nothing. Over TLS it can only be a real one. Follows etcd server/etcdserver/api/etcdhttp/version.go.
 */
export async function isEtcdBehind(servers: readonly string[]): Promise<boolean> {
  const [first] = servers;
  if (first === undefined || !URL.canParse(first)) return false;
  const url = new URL('/version', first);
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (await answerOf(url)).includes('"etcdserver"');
}

/** '' when there is none. */
const answerOf = (url: URL): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const asked = get(url, { timeout: patienceMs, agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > longestAnswer) asked.destroy();
      });
      response.on('close', () => resolve(text));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(''));
  });
