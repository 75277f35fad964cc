import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';

const resources = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];

/** Throws when no stored configuration, or not the one named, has a webhook of this name: nobody would ever call it. */
export function checkIsStored(name: string, configuration: string | undefined, cluster: ClusterView): void {
  const names = resources.flatMap((resource) =>
    cluster
      .list({ group: 'admissionregistration.k8s.io', resource })
      .filter(({ metadata }) => configuration === undefined || metadata?.name === configuration)
      .flatMap((one) => asList(one['webhooks']).map((webhook) => asString(asObject(webhook)['name']))),
  );
  if (names.includes(name)) return;
  const where = configuration === undefined ? 'no webhook configuration here has' : `${configuration} has no`;
  const what = `webhook ${JSON.stringify(name)}`;
  const near = didYouMean(name, names) || '; store its configuration first';
  throw new ConfigError(`${where} ${configuration === undefined ? `a ${what}` : what}${near}`);
}
