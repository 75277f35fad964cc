import { expect, test } from 'vitest';
import { callTarget, type ClientConfig } from '../../../../src/apiserver/admission/webhooks/call.ts';

const service = (path?: string, port?: number): ClientConfig => ({
  service: {
    namespace: 'ns',
    name: 'hook',
    ...(path === undefined ? {} : { path }),
    ...(port === undefined ? {} : { port }),
  },
});

// Source: apiserver pkg/util/webhook/client.go, client-go rest/request.go and url_utils.go (rules HTTP-3, HTTP-4, HTTP-6).
const targets: readonly [config: ClientConfig, url: string, host: string, port: number][] = [
  [{ url: 'https://a.example.com' }, 'https://a.example.com/', 'a.example.com', 443],
  [{ url: 'https://a.example.com:443/x/' }, 'https://a.example.com:443/x', 'a.example.com', 443],
  [{ url: 'https://127.0.0.1:8443//x///y/../z/' }, 'https://127.0.0.1:8443/x/z', '127.0.0.1', 8443],
  [{ url: 'https://[::1]:8443/x' }, 'https://[::1]:8443/x', '::1', 8443],
  [{ url: 'https://h/a%20b%2fc' }, 'https://h/a%20b/c', 'h', 443],
  [{ url: "https://h/a(b)'c!*;=@:&$+," }, 'https://h/a%28b%29%27c%21%2A;=@:&$+,', 'h', 443],
  [{ url: 'https://h/ü/%zz' }, 'https://h/%C3%BC/%25zz', 'h', 443],
  [service(), 'https://hook.ns.svc:443/', 'hook.ns.svc', 443],
  [service('/x/', 8443), 'https://hook.ns.svc:8443/x', 'hook.ns.svc', 8443],
  [service('x%41'), 'https://hook.ns.svc:443/x%2541', 'hook.ns.svc', 443],
];

test.each(targets)('%j is called as %s', (config, url, host, port) => {
  const target = callTarget(config);
  expect(target && [`${target.scheme}://${target.authority}${target.path}`, target.host, target.port]).toEqual([
    url,
    host,
    port,
  ]);
});

test.each([[{}], [{ url: 'not a url' }], [{ url: 'https://' }]])('%j names nothing to call', (config) => {
  expect(callTarget(config)).toBeUndefined();
});
