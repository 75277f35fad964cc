import type { ConfigurationChange } from '../trace/configuration-history.ts';
import type { WebhookCoverage } from '../trace/coverage.ts';

/** Was the webhook's configuration deleted last? From the changes that are still recorded, oldest first. */
export const isDeleted = (
  { phase, configuration }: Pick<WebhookCoverage, 'phase' | 'configuration'>,
  changes: readonly Pick<ConfigurationChange, 'resource' | 'name' | 'change'>[],
): boolean =>
  changes.findLast(({ resource, name }) => resource === `${phase}webhookconfigurations` && name === configuration)
    ?.change === 'deleted';
