import { asList, asObject, type JsonObject, valueAt } from '../../../../src/machinery/json/json.ts';
import type { Cluster } from '../../cluster.ts';
import { mergePatch, testCases } from '../../controller-cases.ts';

const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const pods = '/api/v1/namespaces/default/pods';

/** A CronJob of the first of January, which it missed: worlds begin on that day in 2026. */
async function missed({ send, settle }: Cluster, spec: JsonObject = {}): Promise<void> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const all = { schedule: '0 0 1 1 *', jobTemplate: { spec: { template } }, ...spec };
  await send('POST', cronJobs, { kind: 'CronJob', apiVersion: 'batch/v1', metadata: { name: 'w' }, spec: all });
  await settle();
  const lastScheduleTime = '2025-06-01T00:00:00Z';
  await send('PATCH', `${cronJobs}/w/status`, { status: { lastScheduleTime } }, mergePatch);
  await settle();
}

const active = async (cluster: Cluster): Promise<readonly unknown[]> =>
  asList(valueAt(await cluster.find(`${cronJobs}/w`), 'status', 'active')).map((one) => asObject(one)['name']);

async function said(cluster: Cluster): Promise<readonly unknown[]> {
  const events = asList((await cluster.find('/api/v1/namespaces/default/events'))?.['items']).map(asObject);
  return events.filter(({ source }) => asObject(source)['component'] === 'cronjob-controller').map((e) => e['message']);
}

// As kube-controller-manager v1.36.2 does; pkg/controller/cronjob.
testCases([
  [
    'what was missed is made up for, named after its minute',
    async (cluster) => {
      await missed(cluster);
      return [await active(cluster), await said(cluster)];
    },
    [['w-29453760'], ['Created job w-29453760']],
  ],
  [
    'another schedule waits for its next time: what it would have missed does not count',
    async (cluster) => {
      await missed(cluster, { concurrencyPolicy: 'Replace' });
      await cluster.send('PATCH', `${cronJobs}/w`, { spec: { schedule: '*/30 * * * *' } }, mergePatch);
      await cluster.settle();
      const before = await active(cluster);
      await cluster.pass(1_800_200);
      return [before, await active(cluster)];
    },
    [['w-29453760'], ['w-29453790']],
  ],
  [
    'a success counts although its Job is beyond the limit and goes at once',
    async (cluster) => {
      await missed(cluster, { successfulJobsHistoryLimit: 0 });
      for (const name of await cluster.names(pods)) {
        await cluster.send('PATCH', `${pods}/${name}/status`, { status: { phase: 'Succeeded' } }, mergePatch);
      }
      await cluster.pass(5000);
      const cronJob = await cluster.find(`${cronJobs}/w`);
      return [
        await cluster.names(jobs),
        await active(cluster),
        typeof valueAt(cronJob, 'status', 'lastSuccessfulTime'),
        await said(cluster),
      ];
    },
    [[], [], 'string', ['Created job w-29453760', 'Deleted job w-29453760']],
  ],
]);
