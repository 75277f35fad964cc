import type { ServiceMapping } from '../config/server-config.ts';
import type { ServiceMapping as WebhookMapping } from '../webhook-client/service-mapping.ts';

/** A `--map` as the webhook client takes it. */
export const mappingOf = ({ namespace, service, port, url }: ServiceMapping): WebhookMapping => ({
  namespace,
  name: service,
  port,
  url: new URL(url),
});
