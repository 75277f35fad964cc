// npm run differ -- --help: sends the same requests to a kube-apiserver and to kadmit and prints the differences of their responses.
// Exit code 1 when something differs. The kube-apiserver gets a namespace `differ` and an object of every kind.
import { asObject, asString, type JsonObject } from '../../src/machinery/json/json.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { startKadmit } from '../harness/start-kadmit.ts';
import { collectionOf, nameOf, readSamples, type Sample, writeOf } from './samples.ts';
import { differences } from './compare.ts';
import { type DifferOptions, readOptions, usage } from './options.ts';
import { type Answer, type ServerRequest, connect, type Server } from './server-client.ts';
import { plainRequests } from './requests.ts';
import { createReport } from './report.ts';
import { createChance } from './values.ts';

const json = { 'content-type': 'application/json' };
/** Number of requests for one sample before the next one. */
const requestsPerSample = 20;

async function differ(options: DifferOptions): Promise<boolean> {
  const kadmit = await startKadmit();
  const real = connect(options.server, options.token);
  const ours = connect(kadmit.url, kadmit.token);
  try {
    return await compareServers(real, ours, options);
  } finally {
    real.close();
    ours.close();
    await kadmit.close();
  }
}

async function compareServers(real: Server, ours: Server, options: DifferOptions): Promise<boolean> {
  const report = createReport();
  let requests = 0;
  const compare = async (
    subject: string,
    request: ServerRequest,
    ownBodies?: readonly [string, string],
  ): Promise<void> => {
    requests += 1;
    const [forReal = request.body ?? '', forOurs = request.body ?? ''] = ownBodies ?? [];
    const [a, b] = await Promise.all([
      real.ask({ ...request, body: forReal }),
      ours.ask({ ...request, body: forOurs }),
    ]);
    const causes = differences(a, b);
    if (causes.length > 0) report.add({ subject, request, real: a, ours: b }, causes);
  };
  const onBoth = (request: ServerRequest): Promise<Answer[]> => Promise.all([real.ask(request), ours.ask(request)]);
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'differ' } };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  await onBoth({ method: 'POST', path: '/api/v1/namespaces', headers: json, body: JSON.stringify(namespace) });
  const accounts = '/api/v1/namespaces/differ/serviceaccounts';
  await onBoth({ method: 'POST', path: accounts, headers: json, body: JSON.stringify(account) });
  if (options.only.length === 0) for (const request of plainRequests) await compare('plain', request);

  const document: JsonObject = JSON.parse((await real.ask({ method: 'GET', path: '/openapi/v2' })).body);
  const definitions = asObject(document['definitions']);
  const chance = createChance(createSeededRandom(options.seed));
  const samples = readSamples().filter(({ resource }) => options.only.length === 0 || options.only.includes(resource));
  const end = performance.now() + options.seconds * 1000;
  const liveOf = async (sample: Sample): Promise<readonly JsonObject[]> => {
    const path = collectionOf(sample);
    await onBoth({ method: 'POST', path, headers: json, body: JSON.stringify(sample.object) });
    const answers = await onBoth({ method: 'GET', path: `${path}/${nameOf(sample)}` });
    return answers.map(({ body }) => asObject(JSON.parse(body)));
  };
  while (performance.now() < end && samples.length > 0) {
    for (const sample of samples) {
      const [first = {}, second = {}] = await liveOf(sample);
      for (let done = 0; done < requestsPerSample; done += 1) {
        const request = writeOf(sample, withPlaceholders(first), definitions, chance);
        await compare(sample.resource, request, [fillPlaceholders(request, first), fillPlaceholders(request, second)]);
      }
      await onBoth({ method: 'DELETE', path: `${collectionOf(sample)}/${nameOf(sample)}?gracePeriodSeconds=0` });
      if (performance.now() > end) break;
    }
  }
  console.log(report.text(requests));
  return report.requests() === 0;
}

/** The stored object with placeholders for server-specific values. */
function withPlaceholders(live: JsonObject): JsonObject {
  const { managedFields: _fields, creationTimestamp: _time, ...metadata } = asObject(live['metadata']);
  const text = JSON.stringify({ ...live, metadata: { ...metadata, resourceVersion: '%RV%' } });
  const marked = [
    [asString(metadata['uid']), '%UID%'],
    [addressOf(live), '%IP%'],
  ] as const;
  const copy: JsonObject = JSON.parse(
    marked.reduce((so, [own, mark]) => (own === '' ? so : so.replaceAll(`"${own}"`, `"${mark}"`)), text),
  );
  return copy;
}

/** The address that each server assigned to a Service. */
function addressOf(live: JsonObject): string {
  const address = asString(asObject(live['spec'])['clusterIP']);
  return address === 'None' ? '' : address;
}

function fillPlaceholders({ body = '' }: ServerRequest, live: JsonObject): string {
  const { resourceVersion, uid } = asObject(live['metadata']);
  return body
    .replaceAll('%RV%', asString(resourceVersion))
    .replaceAll('%UID%', asString(uid))
    .replaceAll('%IP%', addressOf(live));
}

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(usage);
} else {
  try {
    process.exitCode = (await differ(readOptions(args, process.env))) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(usage);
    process.exitCode = 2;
  }
}
