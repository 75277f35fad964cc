import https from 'node:https';
import { afterEach, expect, test, vi } from 'vitest';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

afterEach(() => vi.restoreAllMocks());

interface Page {
  readonly code: number;
  readonly type: string | undefined;
  readonly text: string;
}

function get({ url }: Kadmit, path: string, token?: string): Promise<Page> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}${path}`, { headers, rejectUnauthorized: false, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ code: response.statusCode ?? 0, type: response.headers['content-type'], text });
      });
    });
    request.on('error', reject);
  });
}

test('/metrics is authorised like any path, and counts what came before', async () => {
  const server = await startKadmit();
  try {
    expect((await get(server, '/metrics')).code).toBe(403);
    await get(server, '/api/v1/nodes', server.token);
    const page = await get(server, '/metrics', server.token);
    expect(page).toMatchObject({ code: 200, type: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(page.text).toContain('# TYPE apiserver_admission_webhook_rejection_count counter\n');
    expect(page.text).toMatch(/^apiserver_request_total\{code="403",.*subresource="\/metrics",verb="GET".*\} 1$/m);
    expect(page.text).toMatch(/^apiserver_request_total\{code="200",.*resource="nodes",.*verb="LIST".*\} 1$/m);
    expect(page.text).toMatch(/^process_resident_memory_bytes \d+$/m);
    const index: { readonly paths: readonly string[] } = JSON.parse((await get(server, '/', server.token)).text);
    expect(index.paths).toContain('/metrics');
  } finally {
    await server.close();
  }
});

test('two servers in one process count apart', async () => {
  const [one, other] = await Promise.all([startKadmit(), startKadmit()]);
  try {
    await get(one, '/api/v1/nodes', one.token);
    expect((await get(other, '/metrics', other.token)).text).not.toContain('resource="nodes"');
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
});

test('--v 3 makes every request a line, in the form that --logging-format asks for', async () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const server = await startKadmit({ loggingFormat: 'json', v: 3 });
  await get(server, '/version', server.token);
  await server.close();
  const entries = lines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(entries.map(({ msg, URI, resp }) => [msg, URI, resp])).toEqual([
    ['HTTP', '/api/v1/namespaces/kube-system/configmaps', 201],
    ['serving', undefined, undefined],
    ['admission plugins', undefined, undefined],
    ['HTTP', '/version', 200],
    ['stopping', undefined, undefined],
  ]);
});
