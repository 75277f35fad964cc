import { asList, asObject } from '../machinery/json/json.ts';
import type { ConfigurationChange } from '../explain/trace/configuration-history.ts';
import type { WebhookCoverage } from '../explain/trace/coverage.ts';

/** Whether its configuration was deleted last, or stored without it. `changes` are oldest first. */
export function isDeletedConfiguration(
  { phase, configuration, name: webhook }: Pick<WebhookCoverage, 'phase' | 'configuration' | 'name'>,
  changes: readonly Pick<ConfigurationChange, 'resource' | 'name' | 'change' | 'after'>[],
): boolean {
  const last = changes.findLast(
    ({ resource, name }) => resource === `${phase}webhookconfigurations` && name === configuration,
  );
  if (last === undefined || last.change === 'deleted') return last !== undefined;
  return last.after !== null && !asList(last.after['webhooks']).some((one) => asObject(one)['name'] === webhook);
}
