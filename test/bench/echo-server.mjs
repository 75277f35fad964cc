// What fastify can do here when it does nothing: the same TLS, the same protocols, the body back as it came.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastify from 'fastify';

const [certDir = '.'] = process.argv.slice(2);
const read = (name) => readFileSync(join(certDir, name), 'utf8');

const app = fastify({
  http2: true,
  https: {
    allowHTTP1: true,
    cert: read('apiserver.crt'),
    key: read('apiserver.key'),
    ca: [read('ca.crt')],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    noDelay: true,
    keepAliveTimeout: 90_000,
  },
});
app.post('/*', async (request, reply) => reply.code(201).send(request.body));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`listening on ${app.server.address().port}`);
process.once('SIGINT', () => process.exit());
