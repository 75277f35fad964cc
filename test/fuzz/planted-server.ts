// A server with planted faults, started like kadmit: `node … planted-server.ts serve --cert-dir=FOLDER`; any other
// command fails for files that contain one of its words.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseArgs } from 'node:util';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';

const { values } = parseArgs({ strict: false, allowPositionals: true, options: { 'cert-dir': { type: 'string' } } });
const certDir = String(values['cert-dir']);
/** One of `oddTexts`, which every target sends sometimes. */
const words = /hasOwnProperty|constructor|toString|__proto__/;
if (!certDir.startsWith('/')) {
  for (const name of readdirSync('.', { recursive: true, encoding: 'utf8' })) {
    if (statSync(name).isFile() && words.test(textOf(readFileSync(name)))) throw new Error('planted');
  }
  process.exit(0);
}

function textOf(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString();
  } catch {
    return bytes.toString();
  }
}

const hour = 3_600_000;
const times = { notBefore: new Date(Date.now() - hour), notAfter: new Date(Date.now() + hour) };
const issuer = await issueCertificate({ commonName: 'planted-ca', purpose: 'authority', ...times });
const serving = await issueCertificate({
  commonName: 'planted',
  purpose: 'server',
  names: ['127.0.0.1', 'localhost'],
  issuer,
  ...times,
});
mkdirSync(certDir, { recursive: true });
writeFileSync(join(certDir, 'ca.crt'), issuer.certificate);
writeFileSync(join(certDir, 'admin.crt'), serving.certificate);
writeFileSync(join(certDir, 'admin.key'), serving.key, { mode: 0o600 });

/** The effect of a body with this word on the server. */
const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  crash: () => {
    throw new Error('planted');
  },
  stall: (response) => {
    const until = process.cpuUsage().user + 80_000;
    while (process.cpuUsage().user < until);
    response.end();
  },
  failure: (response) => void response.writeHead(500).end('out of order'),
  pollution: (response) => {
    Object.defineProperty(Object.prototype, 'planted', { value: true, configurable: true });
    response.end();
  },
  complaint: (response) => {
    process.stderr.write('Error: planted\n    at somewhere (file:///planted.js:1:1)\n');
    response.end();
  },
  timers: (response) => {
    for (let count = 0; count < 100; count += 1) setTimeout(() => {}, hour);
    response.end();
  },
};

const server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const fault = Object.entries(faults).find(([word]) => body.includes(word))?.[1];
    if (fault) fault(response);
    else if (words.test(claimsIn(body))) faults['crash']?.(response);
    else response.end('{}');
  });
});
/** Of the token in a TokenReview. */
const claimsIn = (body: string): string =>
  Buffer.from(/"token":"[^".]*\.([^".]*)/.exec(body)?.[1] ?? '', 'base64url').toString();

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.stdout.write(`ready at https://127.0.0.1:${port}\n`);
});
