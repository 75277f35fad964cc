import { ask } from './https-line.mjs';
import { processorTime, runClient, startKadmit, startServer } from './processes.mjs';
import { median } from './table.mjs';

const seconds = 3;
const rounds = 3;
/** V8 compiles for this long: the first thousand creates cost more than twice as much. */
const warmUp = 8000;

/**
 * What one mutating and one validating webhook add to a create, compared with a bare POST of the same review to the same
 * webhook: by the clock and, since three processes share the processors of a create and two those of a POST, by the
 * processor time of the calling process. A webhook that patches has the object patched, decoded, defaulted and validated again, which
 * no POST has; so a webhook that only allows is measured too. Then five validating webhooks compared with one.
 */
export async function measureWebhooks(certDir) {
  const kadmit = await startKadmit({ certDir });
  const webhook = await startServer('./webhook-server.mjs', certDir);
  await configure(kadmit, webhook, both);
  await runClient('./load-client.mjs', { server: plain(kadmit), connections: 4, count: warmUp, prefix: 'first' });
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

const both = { mutating: 1, validating: 1 };

/** The same with this many webhooks of each kind. */
async function createWith(counts, kadmit, webhook, load) {
  await configure(kadmit, webhook, counts);
  const figure = await create(kadmit, load);
  await unconfigure(kadmit);
  return figure;
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
    const withBoth = await createWith(both, kadmit, webhook, { connections, prefix: `with-${round}` });
    const withOne = await createWith({ validating: 1 }, kadmit, webhook, { connections, prefix: `one-${round}` });
    // The first round only warms up.
    if (round > 0) figures.push({ bare, without, withBoth, withOne });
  }
  const typical = (of, time) => median(figures.map((figure) => figure[of][time]));
  const factor = (time) => (typical('withBoth', time) - typical('without', time)) / 2 / typical('bare', time);
  const ofOne = (time) => ((typical('withOne', time) - typical('without', time)) / typical('bare', time)).toFixed(2);
  const perSecond = (of) => `${(1000 / typical(of, 'clock')).toFixed(0)} /s`;
  const at = connections === 1 ? 'one at a time' : `${connections} connections`;
  const goal = connections === 1 ? 1.3 : 1.5;
  return [
    { what: `creates with two webhooks, ${at}`, figure: perSecond('withBoth') },
    { what: `creates without, ${at}`, figure: perSecond('without') },
    { what: `bare POSTs, ${at}`, figure: perSecond('bare') },
    { what: 'a webhook adds, in bare POSTs by the clock', ...against(factor('clock'), goal) },
    { what: 'a webhook adds, in bare POSTs by processor time', ...against(factor('processor'), goal) },
    {
      what: 'one that only allows, by the clock and by processor time',
      figure: `${ofOne('clock')}, ${ofOne('processor')}`,
    },
  ];
}

async function compareFive(kadmit, webhook) {
  const ratios = [];
  for (let round = 0; round <= rounds; round += 1) {
    const times = [];
    for (const validating of [1, 5]) {
      const load = { connections: 1, prefix: `v${validating}-${round}` };
      times.push((await createWith({ validating }, kadmit, webhook, load)).clock);
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

/** Configures this many webhooks of each phase, all at the same server. */
export async function configure(kadmit, { port, ca }, counts) {
  for (const [phase, { kind, path }] of Object.entries(kinds)) {
    const caBundle = Buffer.from(ca).toString('base64');
    const webhooks = Array.from({ length: counts[phase] ?? 0 }, (_none, index) => ({
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

export async function unconfigure(kadmit) {
  for (const [phase, { path }] of Object.entries(kinds)) await ask(kadmit, 'DELETE', `${group}/${path}/bench-${phase}`);
}
