import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { fetchSummaries } from '../explain/fetch-trace.ts';
import { callServer } from '../../../adapters/config/kubeconfig/call-server.ts';
import { fetchResources } from '../../../adapters/config/kubeconfig/named-resource.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import type { NamesOf } from './candidates.ts';
import type { Word } from './known-words.ts';

/** Who waits for a key to be answered does not wait long. */
const patienceMs = 1500;
const mostRequests = 20;

/** What the server of this folder knows; nothing when there is none, or it takes too long. */
export const namesOnServer: NamesOf = async (of, begun) => {
  const names = readKubeconfig('.kadmit/kubeconfig').then((access) => askers[of](access, begun));
  const nothing: readonly Word[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Word[]>((resolve) => {
    timer = setTimeout(() => resolve(nothing), patienceMs);
  });
  return Promise.race([names, late])
    .catch(() => nothing)
    .finally(() => clearTimeout(timer));
};

type Asker = (access: ServerAccess, begun: string) => Promise<readonly Word[]>;

const askers: Readonly<Record<Parameters<NamesOf>[0], Asker>> = {
  resources: async (access) =>
    (await fetchResources(access)).map(({ resource, group, kind }) => ({
      word: resource,
      help: group === '' ? kind : `${kind} of ${group}`,
    })),
  requests: async (access) => [last, ...(await recent(access))],
  objects: async (access, begun) =>
    begun.includes('/') ? writtenObjects(access, begun) : [last, ...(await recent(access))],
  namespaces: (access) => listed(access, '/api/v1/namespaces'),
  webhooks: async (access) => {
    const kinds = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];
    const lists = await Promise.all(
      kinds.map((kind) => items(access, `/apis/admissionregistration.k8s.io/v1/${kind}`)),
    );
    return lists.flat().flatMap((one) => asList(one['webhooks']).map(asObject).map(namedBy));
  },
  mapped: async (access) =>
    asList(asObject(await json(access, '/kadmit/v1/map'))['map'])
      .map(asObject)
      .map(({ from, url }) => ({ word: asString(from), help: asString(url) })),
};

const last: Word = { word: 'last', help: 'the last write' };

const recent = async (access: ServerAccess): Promise<readonly Word[]> =>
  (await fetchSummaries(access))
    .filter(({ user }) => !user.startsWith('system:'))
    .slice(0, mostRequests)
    .map(({ id, verb, resource, name, code }) => ({ word: id, help: `${verb} ${resource} ${name} ${code}` }));

/** `pod/web` of everything that was written, with the word for the type as it was begun. */
async function writtenObjects(access: ServerAccess, begun: string): Promise<readonly Word[]> {
  const type = begun.slice(0, begun.indexOf('/'));
  const [known, summaries] = await Promise.all([fetchResources(access), fetchSummaries(access)]);
  const meant = known.find(({ resource, otherNames }) => [resource, ...otherNames].includes(type.toLowerCase()));
  const qualified = meant && (meant.group === '' ? meant.resource : `${meant.resource}.${meant.group}`);
  const names = summaries.filter(({ resource }) => resource === qualified).map(({ name }) => name);
  return [...new Set(names)].filter((name) => name !== '').map((name) => ({ word: `${type}/${name}`, help: '' }));
}

const namedBy = (object: ReturnType<typeof asObject>): Word => ({ word: asString(object['name']), help: '' });

const listed = async (access: ServerAccess, path: string): Promise<readonly Word[]> =>
  (await items(access, path)).map((one) => namedBy(asObject(one['metadata'])));

const items = async (access: ServerAccess, path: string): Promise<readonly ReturnType<typeof asObject>[]> =>
  asList(asObject(await json(access, path))['items']).map(asObject);

async function json(access: ServerAccess, path: string): Promise<ReturnType<typeof asObject>> {
  const { code, text } = await callServer(access, { method: 'GET', path, timeout: patienceMs });
  return code === 200 ? asObject(JSON.parse(text)) : {};
}
