import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'vite';

export interface ServedModules {
  /** An empty page; each module is at `/NAME.js`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Bundles these modules for browsers, by name, and serves them. */
export async function serveModules(input: Readonly<Record<string, string>>): Promise<ServedModules> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  });
  const files = new Map<string, string>();
  for (const { output } of [built].flat().filter((one) => 'output' in one)) {
    for (const file of output) if (file.type === 'chunk') files.set(`/${file.fileName}`, file.code);
  }
  const server = createServer((request, response) => {
    const code = files.get(request.url ?? '');
    const [status, type, body] =
      code === undefined
        ? ([request.url === '/' ? 200 : 404, 'text/html', '<!doctype html><title>modules</title>'] as const)
        : ([200, 'text/javascript', code] as const);
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port }: Partial<AddressInfo> = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
