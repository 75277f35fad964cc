import { ask } from './https-line.mjs';
import { runClient, startKadmit, startServer } from './processes.mjs';
import { median } from './table.mjs';

const seconds = 3;
const rounds = 3;

/** What one mutating and one validating webhook add to a create, next to a bare POST to the same webhook. */
export async function measureWebhooks(certDir) {
  const kadmit = await startKadmit({ certDir });
  const webhook = await startServer('./webhook-server.mjs', certDir);
  const rows = [];
  for (const connections of [1, 16]) rows.push(...(await compare({ kadmit, webhook, connections })));
  await Promise.all([kadmit.stop(), webhook.stop()]);
  return rows;
}

async function compare({ kadmit, webhook, connections }) {
  const post = () => runClient('./bare-post.mjs', { server: plain(webhook), connections, seconds });
  const create = (prefix) =>
    runClient('./load-client.mjs', { server: plain(kadmit), connections, seconds, prefix: `${prefix}-${connections}` });
  const figures = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await post();
    const without = await create(`without-${round}`);
    await configure(kadmit, webhook);
    const withBoth = await create(`with-${round}`);
    await unconfigure(kadmit);
    // The first round only warms up.
    if (round > 0) figures.push({ bare, without, withBoth });
  }
  const millisecondsOf = (of) => median(figures.map((figure) => 1000 / figure[of].perSecond));
  const [bare, without, withBoth] = ['bare', 'without', 'withBoth'].map(millisecondsOf);
  const factor = (withBoth - without) / 2 / bare;
  const at = connections === 1 ? 'one at a time' : `${connections} connections`;
  return [
    { what: `creates with two webhooks, ${at}`, figure: `${(1000 / withBoth).toFixed(0)} /s` },
    { what: `creates without, ${at}`, figure: `${(1000 / without).toFixed(0)} /s` },
    { what: `bare POSTs, ${at}`, figure: `${(1000 / bare).toFixed(0)} /s` },
    { what: 'a webhook adds, in bare POSTs', figure: factor.toFixed(2), goal: '<= 1.50', met: factor <= 1.5 },
  ];
}

const plain = ({ port, ca, cert, key }) => ({ port, ca, cert, key });

const group = '/apis/admissionregistration.k8s.io/v1';
const kinds = [
  { kind: 'MutatingWebhookConfiguration', path: 'mutatingwebhookconfigurations', hook: 'mutate' },
  { kind: 'ValidatingWebhookConfiguration', path: 'validatingwebhookconfigurations', hook: 'validate' },
];

async function configure(kadmit, { port, ca }) {
  for (const { kind, path, hook } of kinds) {
    await ask(kadmit, 'POST', `${group}/${path}`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: `bench-${hook}` },
      webhooks: [
        {
          name: `${hook}.bench.example.com`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: `https://127.0.0.1:${port}/${hook}`, caBundle: Buffer.from(ca).toString('base64') },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
      ],
    });
  }
}

async function unconfigure(kadmit) {
  for (const { path, hook } of kinds) await ask(kadmit, 'DELETE', `${group}/${path}/bench-${hook}`);
}
