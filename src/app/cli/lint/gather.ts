import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { type LintObject, servedObject } from '../../../analysis/lint/model/lint-object.ts';
import { objectsInText, type ReadObjects } from '../../../analysis/lint/objects-in-text.ts';
import { readObjects } from '../../../analysis/lint/read-objects.ts';
import { readBoundedFile } from '../../../adapters/files/bounded-file.ts';
import { asKubernetesObject } from '../../../machinery/meta/object.ts';
import { fetchObjects } from '../record/record.ts';

/**
 * The objects of files and folders (`-`: standard input), and of the server of a kubeconfig; '' is none. Unreadable files are among the
 * problems. Rejects with ConfigError for an unreachable server.
 */
export async function gather(paths: readonly string[], kubeconfig: string): Promise<ReadObjects> {
  const files = readObjects(paths.filter((path) => path !== '-'));
  const given = paths.includes('-') ? objectsInText('stdin', readBoundedFile(0)) : undefined;
  const served = kubeconfig === '' ? [] : await serverObjects(await readKubeconfig(kubeconfig));
  return {
    objects: [...files.objects, ...(given?.objects ?? []), ...served],
    texts: new Map([...files.texts, ...(given?.texts ?? [])]),
    problems: [...files.problems, ...(given?.problems ?? [])],
  };
}

const registration = '/apis/admissionregistration.k8s.io/v1';

/** The configurations and policies of admission, and the resources that webhooks need. Secrets are not read. */
const paths: readonly string[] = [
  `${registration}/mutatingwebhookconfigurations`,
  `${registration}/validatingwebhookconfigurations`,
  `${registration}/mutatingadmissionpolicies`,
  `${registration}/mutatingadmissionpolicybindings`,
  `${registration}/validatingadmissionpolicies`,
  `${registration}/validatingadmissionpolicybindings`,
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/api/v1/namespaces',
  '/api/v1/services',
  '/api/v1/configmaps',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/daemonsets',
  '/apis/apps/v1/statefulsets',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/apis/networking.k8s.io/v1/networkpolicies',
];

/** Rejects with ConfigError for a server that cannot be reached or refuses. */
async function serverObjects(access: ServerAccess): Promise<readonly LintObject[]> {
  const objects = await fetchObjects(access, paths);
  return objects.flatMap((object) => {
    const one = asKubernetesObject(object);
    return one === undefined ? [] : [servedObject(one, access.url)];
  });
}
