import { ask } from './https-line.mjs';
import { processorTime, runClient, startKadmit, startServer } from './processes.mjs';
import { median } from './table.mjs';

const seconds = 3;
const rounds = 3;

/**
 * What one mutating and one validating webhook add to a create, next to a bare POST of the same review to the same
 * webhook: by the clock and, since three processes share the processors of a create and two those of a POST, by the
 * processor time of whoever calls. Then five validating webhooks beside one.
 */
export async function measureWebhooks(certDir) {
  const kadmit = await startKadmit({ certDir });
  const webhook = await startServer('./webhook-server.mjs', certDir);
  await configure(kadmit, webhook, { mutating: 1, validating: 1 });
  await create(kadmit, { connections: 1, prefix: 'first' });
  await unconfigure(kadmit);
  const review = JSON.stringify(await ask(webhook, 'GET', '/last'));
  const rows = [];
  for (const connections of [1, 16]) rows.push(...(await compare({ kadmit, webhook, connections, review })));
  rows.push(await compareFive(kadmit, webhook));
  await Promise.all([kadmit.stop(), webhook.stop()]);
  return rows;
}

/** Milliseconds of the clock and of kadmit's processor that a create takes. */
async function create(kadmit, { connections, prefix }) {
  const before = processorTime(kadmit);
  const settings = { server: plain(kadmit), connections, seconds, prefix: `${prefix}-${connections}` };
  const { perSecond, created } = await runClient('./load-client.mjs', settings);
  return { clock: 1000 / perSecond, processor: (processorTime(kadmit) - before) / created };
}

async function post(webhook, settings) {
  const posting = { server: plain(webhook), seconds, ...settings };
  const { perSecond, processor } = await runClient('./bare-post.mjs', posting);
  return { clock: 1000 / perSecond, processor };
}

async function compare({ kadmit, webhook, connections, review }) {
  const figures = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await post(webhook, { connections, review });
    const without = await create(kadmit, { connections, prefix: `without-${round}` });
    await configure(kadmit, webhook, { mutating: 1, validating: 1 });
    const withBoth = await create(kadmit, { connections, prefix: `with-${round}` });
    await unconfigure(kadmit);
    // The first round only warms up.
    if (round > 0) figures.push({ bare, without, withBoth });
  }
  const typical = (of, time) => median(figures.map((figure) => figure[of][time]));
  const factor = (time) => (typical('withBoth', time) - typical('without', time)) / 2 / typical('bare', time);
  const perSecond = (of) => `${(1000 / typical(of, 'clock')).toFixed(0)} /s`;
  const at = connections === 1 ? 'one at a time' : `${connections} connections`;
  const goal = connections === 1 ? 1.3 : 1.5;
  return [
    { what: `creates with two webhooks, ${at}`, figure: perSecond('withBoth') },
    { what: `creates without, ${at}`, figure: perSecond('without') },
    { what: `bare POSTs, ${at}`, figure: perSecond('bare') },
    { what: 'a webhook adds, in bare POSTs by the clock', ...against(factor('clock'), goal) },
    { what: 'a webhook adds, in bare POSTs by processor time', ...against(factor('processor'), goal) },
  ];
}

async function compareFive(kadmit, webhook) {
  const ratios = [];
  for (let round = 0; round <= rounds; round += 1) {
    const times = [];
    for (const validating of [1, 5]) {
      await configure(kadmit, webhook, { mutating: 0, validating });
      times.push((await create(kadmit, { connections: 1, prefix: `v${validating}-${round}` })).clock);
      await unconfigure(kadmit);
    }
    if (round > 0) ratios.push(times[1] / times[0]);
  }
  return { what: 'creates with five validating webhooks, to those with one', ...against(median(ratios), 2) };
}

const against = (factor, goal) => ({ figure: factor.toFixed(2), goal: `<= ${goal.toFixed(2)}`, met: factor <= goal });

const plain = ({ port, ca, cert, key }) => ({ port, ca, cert, key });

const group = '/apis/admissionregistration.k8s.io/v1';
const kinds = {
  mutating: { kind: 'MutatingWebhookConfiguration', path: 'mutatingwebhookconfigurations' },
  validating: { kind: 'ValidatingWebhookConfiguration', path: 'validatingwebhookconfigurations' },
};

async function configure(kadmit, { port, ca }, counts) {
  for (const [phase, { kind, path }] of Object.entries(kinds)) {
    const caBundle = Buffer.from(ca).toString('base64');
    const webhooks = Array.from({ length: counts[phase] }, (_none, index) => ({
      name: `w${index}.${phase}.example.com`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: `https://127.0.0.1:${port}/${phase === 'mutating' ? 'mutate' : 'validate'}`, caBundle },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    }));
    const metadata = { name: `bench-${phase}` };
    const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks };
    await ask(kadmit, 'POST', `${group}/${path}`, configuration);
  }
}

async function unconfigure(kadmit) {
  for (const [phase, { path }] of Object.entries(kinds)) await ask(kadmit, 'DELETE', `${group}/${path}/bench-${phase}`);
}
