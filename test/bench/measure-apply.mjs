import { jsonRequest, openLine } from './https-line.mjs';
import { startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const count = 1500;
const rounds = 5;
const path = '/apis/apps/v1/namespaces/default/deployments/d';

const deployment = (replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', labels: { app: 'web', tier: 'front' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'nginx:1.27',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            env: [{ name: 'MODE', value: 'production' }],
            resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
          },
        ],
      },
    },
  },
});

/** A server-side apply of a Deployment next to a PUT of the same, one at a time, in turns. */
export async function measureApply(certDir) {
  const kadmit = await startKadmit({ certDir });
  const line = openLine(kadmit);
  await send(line, applied(0));
  await timeOf(line, applied);
  await timeOf(line, updated);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push({ apply: await timeOf(line, applied), update: await timeOf(line, updated) });
  }
  line.close();
  await kadmit.stop();
  const factor = median(pairs.map(({ apply, update }) => apply / update));
  const at = (of) => `${median(pairs.map((pair) => pair[of])).toFixed(2)} ms`;
  return [
    { what: 'apply of a Deployment', figure: at('apply') },
    { what: 'the same update', figure: at('update') },
    { what: 'applies to updates', figure: factor.toFixed(2), goal: '< 3.00', met: factor < 3 },
  ];
}

/** Every write changes the replicas. Both say the same manager, so that none is ever in conflict. */
let turn = 0;
const updated = () => jsonRequest('PUT', `${path}?fieldManager=bench`, deployment((turn += 1) % 1000));
const applied = () => {
  const bytes = jsonRequest('PATCH', `${path}?fieldManager=bench&force=true`, deployment((turn += 1) % 1000));
  return Buffer.from(
    bytes.toString().replace('application/json\r\nContent-L', 'application/apply-patch+yaml\r\nContent-L'),
  );
};

async function timeOf(line, requestOf) {
  const startedAt = performance.now();
  for (let done = 0; done < count; done += 1) await send(line, requestOf());
  return (performance.now() - startedAt) / count;
}

async function send(line, bytes) {
  const { code, body } = await line.send(bytes);
  if (code >= 300) throw new Error(`${code}: ${body.toString()}`);
}
