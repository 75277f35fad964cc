import { goalMs, send, startProbed, worstTurn } from './measure-stalls.mjs';
import { startServer } from './processes.mjs';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'conversion.example.com';
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** What converting-server.mjs may answer. */
const answers = (
  'kept wide small deep deeper long numbers labels badLabels annotations managed badAnnotations finalizers escapes ' +
  'kindless kindLong repeated message manyObjects yaml notJson arrays bomb error errorStatus'
).split(' ');

/** The most processor time for which an answer of a converter keeps everybody else waiting. CASE=part-of-a-name picks. */
export async function measureConversionStalls(certDir) {
  const rows = [];
  const kadmit = await startProbed(certDir);
  const converter = await startServer('./converting-server.mjs', certDir);
  for (const answer of answers.filter((name) => name.includes(process.env['CASE'] ?? ''))) {
    const plural = `${answer.toLowerCase()}s`;
    await send(kadmit, {
      method: 'POST',
      path: crds,
      body: definition(plural, `${urlOf(converter)}/${answer}`, kadmit),
    });
    await send(kadmit, { method: 'POST', path: pathOf('v1', plural), body: object('v1', plural) });
    for (const [what, request] of Object.entries(requestsFor(plural)))
      rows.push(await rowOf(kadmit, `${answer}: ${what}`, request));
    await send(kadmit, { method: 'DELETE', path: `${crds}/${plural}.${group}` });
  }
  await converter.stop();
  await kadmit.stop();
  return rows;
}

const urlOf = ({ port }) => `https://127.0.0.1:${port}`;
const pathOf = (version, plural) => `/apis/${group}/${version}/namespaces/default/${plural}`;
const kindOf = (plural) => plural[0].toUpperCase() + plural.slice(1);

const object = (version, plural, name = 'a') => ({
  apiVersion: `${group}/${version}`,
  kind: kindOf(plural),
  metadata: { name },
  spec: { a: 1 },
});

function requestsFor(plural) {
  const path = pathOf('v2', plural);
  return {
    get: { method: 'GET', path: `${path}/a` },
    'get YAML': { method: 'GET', path: `${path}/a`, accept: 'application/yaml' },
    'get a Table': { method: 'GET', path, accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    create: { method: 'POST', path, body: object('v2', plural, 'b') },
  };
}

const definition = (plural, url, { ca }) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind: kindOf(plural) },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: open },
    })),
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url, caBundle: Buffer.from(ca).toString('base64') },
      },
    },
  },
});

async function rowOf(kadmit, what, request) {
  await worstTurn(kadmit);
  const code = await send(kadmit, request);
  const ms = await worstTurn(kadmit);
  return {
    what: `longest turn, a converter's answer, ${what} (${code})`,
    figure: `${ms.toFixed(0)} ms`,
    goal: `${goalMs} ms`,
    met: ms <= goalMs,
  };
}
